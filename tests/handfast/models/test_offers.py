"""What a model may answer with."""

from __future__ import annotations

import pytest

from handfast.agents.agent import Agent
from handfast.agents.handoff import handoff
from handfast.agents.model import ModelRequest
from handfast.agents.output import AgentOutputSchema
from handfast.agents.tool import FunctionTool
from handfast.errors import UserError
from handfast.models.offers import Offer, chosen_tool, offers, typed_output

SCHEMA: dict[str, object] = {"type": "object", "properties": {}, "additionalProperties": False}


async def nothing(*_: object) -> str:
    return ""


def test_tools_come_first_then_handoffs() -> None:
    tool = FunctionTool("add", "Adds.", dict(SCHEMA), nothing, strict_json_schema=False)
    transfer = handoff(Agent(name="b"))
    offered = offers(ModelRequest(None, "hi", tools=[tool], handoffs=[transfer]))
    assert [offer.name for offer in offered] == ["add", "transfer_to_b"]
    assert [offer.strict for offer in offered] == [False, True]
    assert offered[0].description == "Adds."


OFFERED = [Offer("add", "", {}, strict=True), Offer("subtract", "", {}, strict=True)]


@pytest.mark.parametrize("mode", ["auto", "required", "none"])
def test_a_mode_names_no_tool(mode: str) -> None:
    assert chosen_tool(mode, OFFERED) is None


def test_a_name_names_its_tool() -> None:
    assert chosen_tool("add", OFFERED) == "add"


def test_a_name_that_is_not_on_offer_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"'substract'.*tools: subtract\."):
        chosen_tool("substract", OFFERED)


def test_plain_text_has_no_schema() -> None:
    assert typed_output(None) is None
    assert typed_output(AgentOutputSchema(str)) is None
    assert typed_output(AgentOutputSchema(int)) is not None
