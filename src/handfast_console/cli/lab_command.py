"""`handfast lab`: faulty services on loopback, made for being inspected."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from handfast_console.cli.commands import Commands
from handfast_console.cli.exit_codes import CLEAN
from handfast_inspect.lab.run_lab import run_lab


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "lab",
        help="start a laboratory on loopback to inspect",
        description="Serve good, bad and hostile sites on loopback, and write a scope for them.",
    )
    parser.add_argument("--dir", type=Path, default=Path("handfast-lab"), metavar="DIR")
    parser.add_argument("--duration", type=float, metavar="SECONDS", help="end after so long")
    parser.add_argument("--host", default="127.0.0.1", help="the first loopback address")
    parser.add_argument("--base-port", type=int, metavar="N", help="added to the standard ports")
    parser.add_argument(
        "--ready-file", type=Path, metavar="FILE", help="written once everything listens"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the subcommand.

    Raises:
        HandfastError: The address or a port cannot be used, or the folder cannot be written.
    """
    asyncio.run(
        run_lab(
            options.dir,
            # Not `put`: a laboratory whose reader has gone (`| head`) ends.
            say=lambda line: print(line, flush=True),
            host=options.host,
            base_port=options.base_port,
            duration=options.duration,
            ready_file=options.ready_file,
        ),
    )
    return CLEAN
