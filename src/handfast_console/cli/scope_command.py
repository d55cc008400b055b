"""`handfast scope`: write a scope file, or say whether a URL is in one, and why."""

from __future__ import annotations

import argparse
from pathlib import Path

from handfast import load_scope
from handfast_console.cli import new_scope
from handfast_console.cli.commands import Commands
from handfast_console.cli.exit_codes import CLEAN, FAILED
from handfast_console.cli.terminal import one_line, put


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("scope", help="write a scope file, or look at one")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    new_scope.add_to(actions)
    test = actions.add_parser(
        "test",
        help="say whether a URL is in scope, and why",
        epilog="Exit code: 0 in scope, 1 not in scope, 2 no valid scope file.",
    )
    test.add_argument("url", metavar="URL", nargs="+")
    test.add_argument("--scope", required=True, type=Path, metavar="FILE", help="scope.toml")
    test.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the subcommand; nothing is looked up and nothing is sent.

    Raises:
        ScopeError: The scope file is missing or malformed.
    """
    scope = load_scope(options.scope)
    verdicts = [scope.explain(url) for url in options.url]
    for url, verdict in zip(options.url, verdicts, strict=True):
        word = "in scope" if verdict.allow else "refused"
        put(f"{one_line(url)}: {word}: {one_line(verdict.reason)}\n")
    return CLEAN if all(verdict.allow for verdict in verdicts) else FAILED
