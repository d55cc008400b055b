"""What `str()` says of a result: the lines that the SDK's users know, safe to print."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import BaseModel

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def result_text(
    kind: str,
    facts: Mapping[str, object],
    counts: Mapping[str, int],
    output: tuple[object] | None = None,
) -> str:
    """A result in a few lines; control characters are written out.

    Args:
        kind: The result's class.
        facts: What each line begins with, and what it says.
        counts: How many there are of what.
        output: The final output, alone in a tuple; None leaves it out.
    """
    lines = [f"{kind}:", *(f"- {name}: {value}" for name, value in facts.items())]
    if output is not None:
        lines.append(f"- Final output ({type(output[0]).__name__}):")
        text = _visible(_output_text(output[0]).replace("\r\n", "\n"))
        lines.extend(f"    {line}" for line in text.splitlines())
    lines.extend(f"- {count} {name}" for name, count in counts.items())
    lines.append(f"(See `{kind}` for more details)")
    return _visible("\n".join(lines))


def agent_text(name: str) -> str:
    """An agent in a line about something else."""
    return f'Agent(name="{name}", ...)'


def _output_text(output: object) -> str:
    return output.model_dump_json(indent=2) if isinstance(output, BaseModel) else str(output)


def _visible(text: str) -> str:
    """The text with control characters written out, tabs and line ends apart."""
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
