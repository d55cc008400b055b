"""What a model sees of hostile data: a window of bounded size that its chat format survives."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from handfast_inspect.report.visible import visible

WINDOW: Final = 6_000
"""Characters of one tool's answer."""

_CONTROL_WORD: Final = re.compile(r"\[(/?[A-Z][A-Z_]{2,30})\]")


def shown(text: str) -> str:
    """Text from a target as a model may see it.

    Every chat format marks its turns and calls with `<` or with capitals in square brackets; both
    are exchanged, so that data cannot end a turn or begin one. The exact bytes stay in the
    evidence.
    """
    return _CONTROL_WORD.sub(r"(\1)", visible(text).replace("<", "‹"))


def page(rows: Sequence[object], start: int) -> str:
    """As many rows as fit into the window, as JSON.

    Args:
        rows: Everything there is.
        start: The first row to show.

    Returns:
        An object with `rows`, `total`, and `next_start` where there are more.
    """
    first = max(start, 0)
    kept: list[str] = []
    size = 0
    for row in rows[first:]:
        text = json.dumps(row, ensure_ascii=False)
        size += len(text) + 2
        if kept and size > WINDOW:
            break
        kept.append(text)
    end = first + len(kept)
    more = f', "next_start": {end}' if end < len(rows) else ""
    return f'{{"total": {len(rows)}, "rows": [{", ".join(kept)}]{more}}}'
