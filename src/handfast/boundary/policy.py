"""Rules about one call: pure functions from a call and a view of the run to a verdict.

The strictest verdict wins, so a policy can only take away. A policy that raises stops the run: a
check that cannot be made is no check that was passed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from handfast.boundary.grants import Grants, Spent
from handfast.core.items import CallKind

MAX_ARGUMENTS_TEXT = 1_000_000
"""Characters of arguments that are looked at; longer ones are refused."""


@dataclass(frozen=True, slots=True)
class Allow:
    """The call may run."""

    reason: str = ""
    policy: str = ""
    """The policy that said so; empty when none objected."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A person has to decide."""

    reason: str
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Deny:
    """The call must not run; the model is told the reason."""

    reason: str
    policy: str = ""


Verdict: TypeAlias = Allow | Ask | Deny
"""What a policy, or the whole boundary, says about a call."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A call that a model asks for."""

    agent: str
    """The agent that asks."""
    tool: str
    """The name that it used."""
    call_id: str
    arguments_text: str
    """The arguments as the model wrote them: JSON, or not."""
    kind: CallKind = "function"
    """What would answer: a tool, an agent, a handoff, or nobody."""

    @property
    def key(self) -> str:
        """The same for two calls that ask for the same: tool and arguments, spacing aside."""
        return call_key(self.tool, self.arguments_text)


@dataclass(frozen=True, slots=True)
class RunView:
    """What policies may know of the run; the runner keeps it up to date turn by turn."""

    turn: int = 1
    """The current turn, from 1."""
    calls_made: int = 0
    """Calls asked for before this one."""
    repeats: Mapping[str, int] = field(default_factory=dict[str, int])
    """How often each call was made before, by `CallRequest.key`."""
    spent: Spent = field(default_factory=Spent)
    """What the run has used."""
    grants: Grants = field(default_factory=Grants)
    """What the agent holds."""


class Policy(Protocol):
    """One rule."""

    @property
    def name(self) -> str:
        """The rule's name in verdicts and in the audit."""
        ...

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Judges a call; pure, and fast enough to be asked for every call (under 1 ms)."""
        ...


def call_key(tool: str, arguments_text: str) -> str:
    """Gives one spelling to calls that ask for the same.

    Args:
        tool: The tool's name.
        arguments_text: JSON; text that is none counts as it stands.
    """
    try:
        arguments = json.loads(arguments_text or "{}")
    except (ValueError, RecursionError):
        return f"{tool} {arguments_text}"
    return f"{tool} {json.dumps(arguments, sort_keys=True, separators=(',', ':'))}"


def strictest(verdicts: Iterable[Verdict]) -> Verdict:
    """Gives the strictest of some verdicts: the first Deny, else the first Ask, else Allow."""
    found: Verdict = Allow()
    for verdict in verdicts:
        if isinstance(verdict, Deny):
            return verdict
        if isinstance(verdict, Ask) and isinstance(found, Allow):
            found = verdict
    return found


@dataclass(frozen=True, slots=True)
class GrantedTools:
    """Denies tools that the agent was not granted."""

    name: str = "granted-tools"

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Looks the tool up in the agent's grants; handoffs are no tools."""
        granted = view.grants.tools
        if granted is None or call.kind == "handoff" or call.tool in granted:
            return Allow()
        return Deny(f"{call.tool} was not granted to {call.agent}", self.name)


@dataclass(frozen=True, slots=True)
class ArgumentsAreObject:
    """Denies arguments that are no JSON object, before anything else reads them."""

    name: str = "arguments"

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Parses the arguments; none at all count as an empty object."""
        del view
        if len(call.arguments_text) > MAX_ARGUMENTS_TEXT:
            return Deny(f"the arguments are longer than {MAX_ARGUMENTS_TEXT} characters", self.name)
        try:
            arguments: object = json.loads(call.arguments_text or "{}")
        except (ValueError, RecursionError):
            return Deny("the arguments are not valid JSON; write one JSON object", self.name)
        if not isinstance(arguments, dict):
            return Deny("the arguments must be a JSON object", self.name)
        return Allow()


@dataclass(frozen=True, slots=True)
class Repeat:
    """Denies a call that was made too often with the same arguments."""

    limit: int = 3
    """How often the same call may be made in a run."""
    name: str = "repeat"

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Counts the same calls before this one."""
        made = view.repeats.get(call.key, 0)
        if made < self.limit:
            return Allow()
        return Deny(
            f"{call.tool} was already called {made} times with these arguments; "
            "use the earlier results or change the arguments",
            self.name,
        )


@dataclass(frozen=True, slots=True)
class WithinBudget:
    """Denies calls once a budget is used up."""

    name: str = "budget"

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Compares what was spent with the agent's budget."""
        del call
        spent = view.spent
        if view.calls_made >= view.grants.budget.calls:
            return Deny(f"the budget of {view.grants.budget.calls} calls is used up", self.name)
        exhausted = view.grants.budget.exhausted(spent)
        return Allow() if exhausted is None else Deny(exhausted, self.name)


@dataclass(frozen=True, slots=True)
class AskFor:
    """Asks a person before these tools are called."""

    tools: frozenset[str]
    name: str = "ask-for"

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        """Looks the tool up in the list."""
        del view
        if call.tool in self.tools:
            return Ask(f"{call.tool} needs a person's approval", self.name)
        return Allow()
