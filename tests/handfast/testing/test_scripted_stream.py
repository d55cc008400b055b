from __future__ import annotations

from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from handfast.agents.raw import ModelResponse, response_of
from handfast.agents.usage import Usage
from handfast.testing.messages import assistant_message, function_call, refusal_message
from handfast.testing.scripted_stream import stream_of


@given(st.text(max_size=80), st.text(max_size=80))
def test_deltas_make_the_texts_and_the_last_event_holds_the_answer(
    text: str, arguments: str
) -> None:
    response = ModelResponse(
        [assistant_message(text), function_call("t", arguments), refusal_message(text)],
        Usage(requests=1, input_tokens=1, output_tokens=2, total_tokens=3),
        "r1",
    )
    events = [cast("Any", event) for event in stream_of(response)]
    assert [event.sequence_number for event in events] == list(range(len(events)))

    def joined(kind: str) -> str:
        return "".join(event.delta for event in events if event.type == kind)

    assert joined("response.output_text.delta") == text
    assert joined("response.function_call_arguments.delta") == arguments
    assert joined("response.refusal.delta") == text
    final = response_of(events[-1].response)
    assert events[-1].type == "response.completed"
    assert final.wire_items == response.wire_items
    assert final.usage.total_tokens == 3
    assert final.response_id == "r1"
