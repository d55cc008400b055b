"""What people decided about calls, as plain data that a stored run carries along.

A decision about a call holds for that call alone: another call of the same tool, or the same call
id with other arguments, is a new question. A decision about a tool ("always") is asked for
explicitly and holds for the agent that it was made for: for that very agent, not for another one
of the same name.
"""

from __future__ import annotations

import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from handfast.agents.json_types import canonical
from handfast.errors import UserError

UNKNOWN_OWNER = "?"
"""Owner of a stored decision whose agent cannot be found for certain: it covers no call."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One person's yes or no."""

    tool_name: str
    call_id: str | None
    """The call; None for every call of the tool."""
    approved: bool
    agent: str | None = None
    """The name of the agent whose call it is; None when that was not known."""
    arguments: str | None = None
    """The JSON text that was approved; None for a decision about every call."""
    message: str | None = None
    """What the model is told about a rejection, where the person said something."""
    owner: str | None = None
    """Which agent of that name, see `owner_of`; None when only the name is known."""
    scope: str = ""
    """The calls of agents used as tools that the call was made inside of; empty for none."""
    namespace: str | None = None
    """Where the tool is from, among tools of one name: its server or namespace."""
    item_id: str | None = None
    """The id that the call's item has beside the call's, where the provider gives one."""


@dataclass(frozen=True, slots=True)
class Question:
    """A call that a decision is looked for."""

    tool_name: str
    call_id: str
    agent: str | None = None
    """The name of the agent that calls; None takes a decision of any agent."""
    arguments: str | None = None
    """The call's JSON text; a decision about other text does not count."""
    owner: str | None = None
    """Which agent of that name, where that is known."""
    namespace: str | None = None
    """Where the tool is from, where that is known."""
    item_id: str | None = None
    """The id that the call's item has beside the call's, where the provider gives one."""


@dataclass(slots=True)
class Approvals:
    """The decisions of one run, as it or an agent used as a tool in it sees them."""

    decisions: list[Decision] = field(default_factory=list[Decision])
    """Oldest first."""
    scope: str = ""
    """Inside which calls of agents used as tools this is; empty for the run itself."""

    def record(self, decision: Decision) -> None:
        """Store a decision; a later one about the same call, or the same tool, replaces it."""
        self.decisions[:] = [each for each in self.decisions if not _same_matter(each, decision)]
        self.decisions.append(decision)

    def inside(self, call_id: str) -> Approvals:
        """The same decisions, as an agent sees them that runs for a call of its tool."""
        return Approvals(self.decisions, f"{self.scope}{call_id}/")

    def copy(self) -> Approvals:
        """The decisions so far; what is decided from now on is not shared."""
        return Approvals(list(self.decisions), self.scope)

    def find(self, question: Question) -> Decision | None:
        """The decision that covers a call: one about the call itself beats one about its tool."""
        exact = (
            each
            for each in reversed(self.decisions)
            if each.call_id == question.call_id
            and each.scope == self.scope
            and _covers(each, question)
            and (question.arguments is None or each.arguments in {None, question.arguments})
        )
        found = next(exact, None)
        if found is not None or (question.owner is None and question.agent is None):
            return found
        return next(
            (each for each in self.about_tool(question.tool_name) if _covers(each, question)), None
        )

    def look_up(self, tool_name: str, call_id: str) -> Decision | None:
        """What a person sees who knows a call's tool and id, and not its agent.

        The answer is for showing: where agents differ in what was decided, there is none.
        """
        about = [each for each in self.decisions if each.tool_name == tool_name]
        exact = [each for each in about if each.call_id == call_id]
        owners = {(each.owner, each.agent) for each in exact or about}
        if len(owners) != 1:
            return None
        return exact[-1] if exact else next(self.about_tool(tool_name), None)

    def bound_elsewhere(self, question: Question) -> bool:
        """True when the agent's call of this id was decided about with another tool or text."""
        return any(
            each.call_id == question.call_id
            and each.scope == self.scope
            and each.owner == question.owner
            and (each.tool_name, each.arguments) != (question.tool_name, question.arguments)
            for each in self.decisions
        )

    def changed_since(self, question: Question) -> bool:
        """True when the very item was decided about, and said something else then."""
        return question.item_id is not None and any(
            each.item_id == question.item_id
            and each.call_id == question.call_id
            and each.scope == self.scope
            and each.owner == question.owner
            and not _says_same(each, question)
            for each in self.decisions
        )

    def about_tool(self, tool_name: str) -> Iterator[Decision]:
        """The decisions about every call of a tool, newest first."""
        return (
            each
            for each in reversed(self.decisions)
            if each.call_id is None and each.tool_name == tool_name
        )

    def to_data(self, place_of: Callable[[str], str | None]) -> list[dict[str, object]]:
        """The decisions as JSON values, oldest first.

        Args:
            place_of: Where in the graph of agents an owner is; None where it is not in it.
        """
        return [_decision_data(each, place_of) for each in self.decisions]

    @classmethod
    def from_data(
        cls,
        data: Iterable[Mapping[str, object]],
        owner_at: Callable[[str], str | None],
    ) -> Approvals:
        """Read what `to_data` wrote.

        Args:
            data: The decisions.
            owner_at: The owner at a place in the graph of agents; None where nobody certain is.

        Raises:
            UserError: The data is not such a list.
        """
        approvals = cls()
        for each in data:
            approvals.record(_decision(each, owner_at))
        return approvals


_owners: dict[int, tuple[weakref.ref[object], str]] = {}


def owner_of(agent: object) -> str | None:
    """A name for this very agent, as long as it lives; None for what is no living agent."""
    known = _owners.get(id(agent))
    if known is not None and known[0]() is agent:
        return known[1]
    key = id(agent)
    try:
        reference = weakref.ref(agent, lambda _: _owners.pop(key, None))
    except TypeError:
        return None
    token = uuid.uuid4().hex
    _owners[key] = (reference, token)
    return token


def _same_matter(one: Decision, other: Decision) -> bool:
    return (
        one.tool_name == other.tool_name
        and one.call_id == other.call_id
        and one.namespace == other.namespace
        and one.owner == other.owner
        and one.agent == other.agent
        and (one.call_id is None or one.scope == other.scope)
    )


def _says_same(decision: Decision, question: Question) -> bool:
    if decision.arguments is None or question.arguments is None:
        return decision.tool_name == question.tool_name
    said, asked = canonical(decision.arguments), canonical(question.arguments)
    return (decision.tool_name, said) == (question.tool_name, asked)


def _covers(decision: Decision, question: Question) -> bool:
    if decision.tool_name != question.tool_name:
        return False
    if question.namespace is not None and decision.namespace != question.namespace:
        return False
    if decision.owner is not None and question.owner is not None:
        return decision.owner == question.owner
    return decision.agent is None or question.agent in {None, decision.agent}


def _decision_data(
    decision: Decision,
    place_of: Callable[[str], str | None],
) -> dict[str, object]:
    place = None if decision.owner is None else place_of(decision.owner) or UNKNOWN_OWNER
    return {
        "tool_name": decision.tool_name,
        "call_id": decision.call_id,
        "approved": decision.approved,
        "agent": decision.agent,
        "arguments": decision.arguments,
        "message": decision.message,
        "owner": place,
        "scope": decision.scope,
        "namespace": decision.namespace,
        "item_id": decision.item_id,
    }


def _decision(data: Mapping[str, object], owner_at: Callable[[str], str | None]) -> Decision:
    tool_name, approved = data.get("tool_name"), data.get("approved")
    if not isinstance(tool_name, str) or not isinstance(approved, bool):
        raise UserError(f"A stored approval needs tool_name and approved: {dict(data)!r}")
    read = Decision(
        tool_name,
        _text(data, "call_id"),
        approved,
        _text(data, "agent"),
        _text(data, "arguments"),
        _text(data, "message"),
        scope=_text(data, "scope") or "",
        namespace=_text(data, "namespace"),
        item_id=_text(data, "item_id"),
    )
    place = _text(data, "owner")
    if place is None:
        return read
    return replace(read, owner=owner_at(place) or UNKNOWN_OWNER)


def _text(data: Mapping[str, object], key: str) -> str | None:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise UserError(f"A stored approval has no text as {key}: {dict(data)!r}")
    return value
