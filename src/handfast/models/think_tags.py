"""Reasoning that a server leaves in the text: a leading `<think>` block.

Only a block at the very start counts: the same tag in the middle of an answer is the answer's own.
"""

from __future__ import annotations

from dataclasses import dataclass

_OPEN = "<think>"
_CLOSE = "</think>"
_CLOSE_LINE = "\n</think>\n"


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of text, told apart."""

    reasoning: str
    text: str


class ThinkSplitter:
    """Tells reasoning from text while both arrive in pieces."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"

    def feed(self, piece: str) -> Thought:
        """What is certain after this piece; a possible tag is held back until it is."""
        if self._state == "text":
            return Thought("", piece)
        self._held += piece
        if self._state == "start":
            head = self._held.lstrip()
            if _OPEN.startswith(head[: len(_OPEN)]) and len(head) < len(_OPEN):
                return Thought("", "")
            if not head.startswith(_OPEN):
                return self._as_text()
            self._state, self._held = "thinking", head[len(_OPEN) :]
        if self._state == "thinking":
            return self._think()
        return self._after_block()

    def finish(self) -> Thought:
        """What was held back at the end."""
        held, self._held = self._held, ""
        if self._state == "thinking":
            return Thought(held, "")
        return Thought("", held if self._state == "start" else "")

    def _think(self) -> Thought:
        before, tag, after = self._held.partition(_CLOSE)
        if not tag:
            keep = _overlap(before, _CLOSE)
            self._held = before[len(before) - keep :]
            return Thought(before[: len(before) - keep], "")
        self._state, self._held = "after", after
        return Thought(before, self._after_block().text)

    def _after_block(self) -> Thought:
        """Blank lines between the block and the answer belong to neither."""
        self._held = self._held.lstrip()
        return self._as_text() if self._held else Thought("", "")

    def _as_text(self) -> Thought:
        self._state = "text"
        held, self._held = self._held, ""
        return Thought("", held)


def split_thinking(text: str) -> Thought:
    """A whole answer's reasoning and text.

    A closing tag on a line of its own, with no opening one, ends reasoning too: the chat templates
    of some models open the block in the prompt.
    """
    splitter = ThinkSplitter()
    first, last = splitter.feed(text), splitter.finish()
    reasoning, answer = first.reasoning + last.reasoning, first.text + last.text
    if reasoning or _OPEN in answer or _CLOSE_LINE not in answer:
        return Thought(reasoning.strip("\n"), answer)
    before, _, after = answer.partition(_CLOSE_LINE)
    return Thought(before.strip("\n"), after.lstrip())


def _overlap(text: str, tag: str) -> int:
    """How many characters at the end of the text may be the beginning of the tag."""
    return next(
        (
            size
            for size in range(min(len(text), len(tag) - 1), 0, -1)
            if tag.startswith(text[-size:])
        ),
        0,
    )
