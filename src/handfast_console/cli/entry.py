"""Where the `handfast` program begins: says in one line what is not installed."""

from __future__ import annotations

import sys

NEEDED = frozenset({"cryptography", "defusedxml", "dns", "httpx", "jinja2"})
"""What the extra `inspect` brings."""

try:
    from handfast_console.cli.main import main
except ModuleNotFoundError as missing:
    if missing.name is None or missing.name.partition(".")[0] not in NEEDED:
        raise
    print(
        f"handfast: {missing.name} is not installed. The command line needs the extra `inspect`: "
        "pip install 'handfast[inspect]'",
        file=sys.stderr,
    )
    sys.exit(2)

__all__ = ["NEEDED", "main"]
