"""`handfast scope new`: write down who allowed an inspection, of what, and how far it may go."""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from handfast import UserError, parse_scope
from handfast_console.cli.commands import Commands
from handfast_console.cli.exit_codes import CLEAN
from handfast_console.cli.terminal import one_line, put

DEFAULT_DAYS: Final = 30
"""How long an authorisation holds when nothing else is said."""
_LONGEST: Final = 366


def add_to(actions: Commands) -> None:
    """Add the action."""
    new = actions.add_parser(
        "new",
        help="write a scope file",
        description="Write a scope file for targets that their owner allowed you to inspect.",
        epilog="Exit code: 0 written, 2 not valid, or the file is there already.",
    )
    new.add_argument("target", metavar="TARGET", nargs="+", help="a name, an address or a block")
    new.add_argument("--by", required=True, metavar="NAME", help="who allowed it")
    new.add_argument("--contact", required=True, metavar="ADDRESS", help="how to reach them")
    new.add_argument(
        "--reference", metavar="TEXT", help="where the permission is written (default: by --by)"
    )
    new.add_argument(
        "--days",
        type=_days,
        default=DEFAULT_DAYS,
        metavar="N",
        help=f"how long it holds (default: {DEFAULT_DAYS})",
    )
    new.add_argument(
        "--consent",
        action="store_true",
        help="the owner allowed more than a browser does: open ports, old TLS, zone transfers",
    )
    new.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    new.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the action; the text is read as a scope before anything is written.

    Raises:
        ScopeError: No scope can be made of what was given; the message names the key.
        UserError: The file is there already or cannot be written.
    """
    today = dt.datetime.now(dt.UTC).date()
    text = scope_text(
        options.target,
        by=options.by,
        contact=options.contact,
        reference=options.reference or f"permission given by {options.by}",
        consent=options.consent,
        days=(today, today + dt.timedelta(days=options.days)),
    )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError("--by, --contact and --reference must be UTF-8 text.") from error
    parse_scope(text, source="the new scope", today=today)
    if options.out is None:
        put(text, "utf-8")
        return CLEAN
    _write(options.out, text)
    print(f"Now: handfast inspect {one_line(options.target[0])} --scope {options.out}")
    return CLEAN


def scope_text(
    targets: Sequence[str],
    *,
    by: str,
    contact: str,
    reference: str,
    consent: bool,
    days: tuple[dt.date, dt.date],
) -> str:
    """The text of a scope file; whether it is a valid one is for `parse_scope` to say.

    Args:
        targets: Names, `*.name` patterns, addresses and blocks.
        by: Who allowed it.
        contact: How to reach them.
        reference: Where the permission is written.
        consent: Whether probes may ask for more than a browser does.
        days: The day of the authorisation and the last day on which it holds.
    """
    probes = ["passive", "read", *(["consent"] if consent else [])]
    return "\n".join(
        [
            f"probes = [{', '.join(map(_quoted, probes))}]",
            "targets = [",
            *[f"    {_quoted(target)}," for target in targets],
            "]",
            "",
            "[authorisation]",
            f"by = {_quoted(by)}",
            f"contact = {_quoted(contact)}",
            f"reference = {_quoted(reference)}",
            f"date = {days[0].isoformat()}",
            f"valid_until = {days[1].isoformat()}",
            "",
        ]
    )


def _quoted(text: str) -> str:
    # What JSON escapes in a string, a basic string of TOML 1.0 escapes alike, save for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"--out {path}: is there already: move it, or name another file.") from None
    except OSError as error:
        raise UserError(f"--out {path}: cannot be written: {error.strerror}") from error


def _days(text: str) -> int:
    days = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0  # noqa: PLR2004 - longer ones are too large
    if not 0 < days <= _LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days from 1 to {_LONGEST}")
    return days
