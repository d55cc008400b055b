"""JSON from strangers: whatever is wrong with it, the answer is None."""

from __future__ import annotations

import json


def read_json(body: bytes) -> object:
    """Reads a document.

    Args:
        body: The bytes as received.

    Returns:
        Its value; None where it is no JSON, is nested too deep, or has a number too long.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
