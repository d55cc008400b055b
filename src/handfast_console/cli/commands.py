"""Where subcommands are added: the part of argparse's own object that they need."""

from __future__ import annotations

import argparse
from typing import Protocol


class Commands(Protocol):
    """The subcommands of a parser; what `add_subparsers` returns."""

    def add_parser(
        self,
        name: str,
        *,
        help: str,  # noqa: A002 - argparse's name
        description: str | None = ...,
        epilog: str | None = ...,
    ) -> argparse.ArgumentParser:
        """Add one and return its parser."""
        ...
