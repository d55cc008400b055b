"""`handfast audit verify`: whether an audit log is whole."""

from __future__ import annotations

import argparse
from pathlib import Path

from handfast import UserError, verify_file
from handfast_console.cli.commands import Commands
from handfast_console.cli.exit_codes import CLEAN, FAILED
from handfast_console.cli.terminal import one_line, put


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("audit", help="check an audit log")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    verify = actions.add_parser(
        "verify",
        help="find any change, cut or reorder in an audit log",
        epilog="Exit code: 0 whole, 1 changed, 2 cannot be read.",
    )
    verify.add_argument("file", type=Path, metavar="FILE")
    verify.set_defaults(run=run_verify)


def run_verify(options: argparse.Namespace) -> int:
    """Check a log.

    Raises:
        AuditError: It cannot be read.
    """
    found = verify_file(_existing(options.file))
    if found.ok:
        put(f"{one_line(str(options.file))}: whole, {found.records} records\n")
        return CLEAN
    put(f"{one_line(str(options.file))}: {one_line(str(found.first_problem))}\n")
    return FAILED


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise UserError(f"{path}: there is no such audit log.")
    return path
