from __future__ import annotations

import argparse

from handfast_console.cli.commands import Commands


def add_one(commands: Commands) -> argparse.ArgumentParser:
    return commands.add_parser("one", help="the first")


def test_argparses_own_object_is_taken() -> None:
    parser = argparse.ArgumentParser(prog="x")
    made = add_one(parser.add_subparsers())
    made.set_defaults(chosen="one")
    assert parser.parse_args(["one"]).chosen == "one"
