"""What a handoff carried, kept for the receiver's instructions and tools."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The typed input of the handoff that made an agent the current one."""

    value: object
    """An instance of the handoff's `input_type`."""
    source: str
    """Who handed over, as the run's state names agents."""
    tool_name: str
    """The handoff's function."""
    arguments: str
    """What the model wrote: JSON text."""

    def to_data(self) -> dict[str, object]:
        """JSON data of everything but the value, which is read again from the arguments."""
        return {"source": self.source, "tool_name": self.tool_name, "arguments": self.arguments}
