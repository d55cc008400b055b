"""The `tag=value; tag=value` lists of DKIM, DMARC, MTA-STS and TLS reporting records."""

from __future__ import annotations

from typing import Final

MAX_TAGS: Final = 64
"""Tags kept of one record."""


def read_tags(record: str) -> tuple[tuple[str, str], ...]:
    """Reads a tag list (RFC 6376, section 3.2).

    Args:
        record: The text of the TXT record.

    Returns:
        Names in lower case, values as written without the blanks around them; parts without an
        equals sign have an empty value. Order and repetitions are kept.
    """
    found: list[tuple[str, str]] = []
    for part in record.split(";")[:MAX_TAGS]:
        name, _, value = part.partition("=")
        if name.strip():
            found.append((name.strip().lower(), value.strip()))
    return tuple(found)


def tag_value(tags: tuple[tuple[str, str], ...], name: str) -> str | None:
    """The value of the first tag of a name; None without one."""
    return next((value for tag, value in tags if tag == name), None)


def has_version(record: str, version: str) -> bool:
    """Whether a record begins with `v=` and this version, blanks around the equals sign allowed.

    Args:
        record: The text of the TXT record.
        version: The version exactly as the standard spells it: `DMARC1`, `STSv1`.
    """
    first = record.split(";", 1)[0]
    name, equals, value = first.partition("=")
    return bool(equals) and name.strip().lower() == "v" and value.strip() == version
