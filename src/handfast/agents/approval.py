"""What people decided about calls, as plain data that a stored run carries along.

A decision about a call holds for that call alone: another call of the same tool, or the same call
id with other arguments, is a new question. A decision about a tool ("always") is asked for
explicitly and holds for the agent that it was made for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from handfast.errors import UserError


@dataclass(frozen=True, slots=True)
class Decision:
    """One person's yes or no."""

    tool_name: str
    call_id: str | None
    """The call; None for every call of the tool."""
    approved: bool
    agent: str | None = None
    """The agent whose call it is; None when that was not known."""
    arguments: str | None = None
    """The JSON text that was approved; None for a decision about every call."""
    message: str | None = None
    """What the model is told about a rejection, where the person said something."""


@dataclass(slots=True)
class Approvals:
    """The decisions of one run."""

    _decisions: dict[tuple[str, str | None, str | None], Decision] = field(
        default_factory=dict[tuple[str, str | None, str | None], Decision],
    )

    def record(self, decision: Decision) -> None:
        """Store a decision; a later one about the same call, or the same tool, replaces it."""
        agent = decision.agent if decision.call_id is None else None
        self._decisions[decision.tool_name, decision.call_id, agent] = decision

    def decision_for(
        self,
        tool_name: str,
        call_id: str,
        *,
        agent: str | None = None,
        arguments: str | None = None,
    ) -> Decision | None:
        """The decision that covers a call: one about the call itself beats one about its tool.

        Args:
            tool_name: The tool that is called.
            call_id: The call.
            agent: The agent that calls; None matches a decision of any agent.
            arguments: The call's JSON text; a decision about other text does not count.

        Returns:
            The decision, or None when nobody has decided.
        """
        exact = self._decisions.get((tool_name, call_id, None))
        if exact is not None and _covers(exact, agent, arguments):
            return exact
        if agent is None:
            return next((each for each in self.about_tool(tool_name)), None)
        return self._decisions.get((tool_name, None, agent)) or self._decisions.get(
            (tool_name, None, None),
        )

    def about_tool(self, tool_name: str) -> Iterable[Decision]:
        """The decisions about every call of a tool, newest first."""
        return (
            each
            for each in reversed(self._decisions.values())
            if each.call_id is None and each.tool_name == tool_name
        )

    def to_data(self) -> list[dict[str, object]]:
        """The decisions as JSON values, oldest first."""
        return [asdict(each) for each in self._decisions.values()]

    @classmethod
    def from_data(cls, data: Iterable[Mapping[str, object]]) -> Approvals:
        """Read what `to_data` wrote.

        Raises:
            UserError: The data is not such a list.
        """
        approvals = cls()
        for each in data:
            approvals.record(_decision(each))
        return approvals


def _covers(decision: Decision, agent: str | None, arguments: str | None) -> bool:
    same_agent = agent is None or decision.agent is None or agent == decision.agent
    known = arguments is None or decision.arguments is None
    return same_agent and (known or arguments == decision.arguments)


def _decision(data: Mapping[str, object]) -> Decision:
    tool_name, approved = data.get("tool_name"), data.get("approved")
    if not isinstance(tool_name, str) or not isinstance(approved, bool):
        raise UserError(f"A stored approval needs tool_name and approved: {dict(data)!r}")
    return Decision(
        tool_name,
        _text(data, "call_id"),
        approved,
        _text(data, "agent"),
        _text(data, "arguments"),
        _text(data, "message"),
    )


def _text(data: Mapping[str, object], key: str) -> str | None:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise UserError(f"A stored approval has no text as {key}: {dict(data)!r}")
    return value
