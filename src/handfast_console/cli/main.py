"""`handfast`: chooses the subcommand, and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import NoReturn

from handfast import HandfastError
from handfast.version import __version__
from handfast_console.cli import (
    audit_command,
    inspect_command,
    lab_command,
    scope_command,
)
from handfast_console.cli.exit_codes import COULD_NOT_RUN
from handfast_console.cli.terminal import one_line, silence_output
from handfast_inspect.report.visible import visible

_COMMANDS = (inspect_command, lab_command, scope_command, audit_command)


def main(
    arguments: Sequence[str] | None = None, environment: Mapping[str, str] | None = None
) -> int:
    """Run the command line.

    Args:
        arguments: The words after `handfast`; None takes the process's own.
        environment: What the terminal says of itself; None takes the process's own.

    Returns:
        The exit code: 0, 1 or 2.
    """
    options = _parser().parse_args(arguments)
    options.environment = os.environ if environment is None else environment
    for name in ("handfast", "asyncio"):
        # Written for developers; what a user must know is in the report and in one line.
        logging.getLogger(name).addHandler(logging.NullHandler())
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
        silence_output()
        return COULD_NOT_RUN
    except Exception:  # noqa: BLE001 - the process edge: left alone it would exit with 1, which says that there are findings
        print(visible(traceback.format_exc()), file=sys.stderr)
        print("handfast: a fault of handfast; please report it with these lines", file=sys.stderr)
        return COULD_NOT_RUN
    return code


class _OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        """Ends the process."""
        self.exit(COULD_NOT_RUN, f"handfast: {one_line(message)} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _OneLineParser(
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
