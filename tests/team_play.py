"""A team on loopback: tools called by hand, and models that play a part."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, cast

from handfast import FunctionTool, ToolContext
from handfast.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.http import MethodsFact
from handfast_inspect.findings.finding import ProbeClass
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import Probe, ProbeContext, Target

Item: TypeAlias = dict[str, object]
Turn: TypeAlias = Sequence[Item] | Callable[[ModelCall], Sequence[Item]] | BaseException


def says(text: str) -> list[Item]:
    """An answer in words, which ends the run."""
    return [assistant_message(text)]


def calls(*names: str, **arguments: object) -> list[Item]:
    """An answer that calls tools, all with the same arguments."""
    return [function_call(name, arguments) for name in names]


def playing(*turns: Turn) -> ScriptedModel:
    """A model that plays these turns."""
    return ScriptedModel([_step(turn) for turn in turns])


def always(turn: Turn, times: int = 200) -> ScriptedModel:
    """A model that does the same in every turn."""
    return playing(*[turn] * times)


def offered(call: ModelCall) -> set[str]:
    """Every name that the model may call."""
    return {tool.name for tool in call.tools} | {each.tool_name for each in call.handoffs}


def outputs(call: ModelCall) -> list[str]:
    """What earlier calls were answered."""
    items = cast("Iterable[Item]", [] if isinstance(call.input, str) else call.input)
    found = (item["output"] for item in items if item.get("type") == "function_call_output")
    return [str(text) for text in found]


async def invoke(tool: FunctionTool, **arguments: object) -> str:
    """Call a tool by hand."""
    text = json.dumps(arguments)
    context = ToolContext(context=None, tool_name=tool.name, tool_call_id="c1", tool_arguments=text)
    return str(await tool.on_invoke_tool(context, text))


def seeing(name: str, text: str, kind: ProbeClass = ProbeClass.CONSENT) -> Probe:
    """A probe that keeps a text as evidence, and sees that TRACE is allowed."""

    async def look(target: Target, context: ProbeContext, notes: Notes) -> None:
        del context
        asset = Asset(target.host, port=80, url=f"http://{target.host}/")
        evidence = notes.prove(asset, f"summary: {text}", text.encode())
        notes.fact(MethodsFact(asset, evidence, ("TRACE",), trace_echoed=None))

    return Probe(name, f"title of {name}", kind, look, ("http.methods",), 20)


def _step(turn: Turn) -> ModelStep:
    if isinstance(turn, BaseException):
        return ModelStep.raise_error(turn)
    if callable(turn):
        chosen = turn
        return ModelStep.respond(lambda call: ModelStep(list(chosen(call))))
    return ModelStep(list(turn))


class Diligent:
    """Plays every member: each specialist runs all its probes, then the reporter writes.

    Args:
        write: Makes the text of the one section from an id of real evidence.
    """

    def __init__(self, write: Callable[[str], str] = "Seen [{0}].".format) -> None:
        self._write = write
        self._called: set[str] = set()
        self.sections = 0

    def __call__(self, call: ModelCall) -> Sequence[Item]:
        """The next answer, whoever has the word."""
        names = sorted(offered(call) - self._called)
        probes = [name for name in names if name.startswith("probe_")]
        inspectors = [name for name in names if name.endswith("_inspector")]
        if probes:
            return self._first(probes, calls)
        if inspectors:
            return self._first(inspectors[:1], calls)
        if "write_section" in names:
            return self._report(call, names)
        back = "transfer_to_coordinator"
        return calls(back if back in offered(call) else "transfer_to_reporter")

    def _first(self, names: list[str], make: Callable[..., list[Item]]) -> list[Item]:
        self._called.update(names)
        return make(*names)

    def _report(self, call: ModelCall, names: list[str]) -> Sequence[Item]:
        if "list_findings" in names:
            return self._first(["list_findings"], calls)
        if self.sections:
            return says("Done.")
        self.sections += 1
        listed = json.loads(outputs(call)[-1])
        evidence = listed["rows"][0]["evidence"][0]
        return calls("write_section", subject="priorities", text=self._write(evidence))
