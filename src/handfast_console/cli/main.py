"""`handfast`: chooses the subcommand, and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from handfast import HandfastError, __version__
from handfast_console.cli import (
    audit_command,
    inspect_command,
    lab_command,
    scope_command,
)
from handfast_console.cli.exit_codes import COULD_NOT_RUN
from handfast_console.cli.terminal import one_line

_COMMANDS = (inspect_command, lab_command, scope_command, audit_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words after `handfast`; None takes the process's own.

    Returns:
        The exit code: 0, 1 or 2.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except HandfastError as error:
        print(f"handfast: {one_line(str(error))}", file=sys.stderr)
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        print("handfast: interrupted", file=sys.stderr)
        return COULD_NOT_RUN
    except BrokenPipeError:
        # Whoever read our output has gone; nothing more can be said to them, at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return COULD_NOT_RUN
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="handfast",
        description="Agents that act on the real world, inside a boundary enforced in code.",
    )
    parser.add_argument("--version", action="version", version=f"handfast {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
