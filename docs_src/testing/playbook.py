from __future__ import annotations

from handfast.core.effects import Authorize, CallModel, CallTool, CheckOutput
from handfast.core.items import Call, Message, Result
from handfast.core.outcomes import Allowed, ModelAnswered, OutputAccepted, ToolReturned
from handfast.core.state import Done, Offer
from handfast.testing import Playbook


def test_a_call_runs_once_it_is_allowed() -> None:
    book = Playbook.start("guide", [Message("user", "What is the weather?", {})])
    call = Call("call_1", "weather", "{}", {}, "guide")

    (ask,) = book.asks(CallModel)
    book.give(ModelAnswered(ask.id, (call,), Offer({"weather": "function"})))
    (question,) = book.asks(Authorize)
    book.give(Allowed(question.id))
    (order,) = book.asks(CallTool)
    book.give(ToolReturned(order.id, Result("call_1", {}, "guide", "rain")))
    (again,) = book.asks(CallModel)
    book.give(ModelAnswered(again.id, (Message("assistant", "Rain.", {}, "guide"),), Offer()))
    (check,) = book.asks(CheckOutput)
    book.give(OutputAccepted(check.id, "Rain.")).asks()

    assert book.state.phase == Done("Rain.")


if __name__ == "__main__":
    test_a_call_runs_once_it_is_allowed()
