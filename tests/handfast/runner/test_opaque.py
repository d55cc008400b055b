from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from handfast.agents.raw import ModelResponse
from handfast.agents.usage import Usage
from handfast.runner.opaque import decode_opaque, encode_opaque, plain_data

JSON: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
ANYTHING: st.SearchStrategy[object] = st.one_of(
    st.sampled_from([object(), b"x", {1, 2}, 1j, range(2), Exception("x"), ...]),
    JSON,
)


class Model(BaseModel):
    when: datetime


@dataclass
class Point:
    x: int
    other: object


@given(JSON)
def test_json_comes_back_as_it_was(value: object) -> None:
    assert decode_opaque(json.loads(json.dumps(encode_opaque(value)))) == value


def test_a_response_comes_back_whole() -> None:
    response = ModelResponse(
        [{"type": "message", "role": "assistant", "content": []}],
        Usage(requests=1, input_tokens=2, output_tokens=3, total_tokens=5),
        "resp_1",
        "req_1",
    )
    stored = json.loads(json.dumps(encode_opaque(response)))
    assert decode_opaque(stored) == response


def test_what_has_no_json_form_is_stored_as_what_a_model_would_read() -> None:
    when = datetime(2026, 1, 2, tzinfo=UTC)
    assert plain_data(Model(when=when)) == {"when": "2026-01-02T00:00:00Z"}
    assert plain_data(Point(1, {2, 3})) == {"x": 1, "other": [2, 3]}
    assert plain_data([object]) == ["<class 'object'>"]
    assert plain_data(ValueError("secret")) is None


@given(ANYTHING)
def test_storing_never_fails(value: object) -> None:
    json.dumps(encode_opaque(value))
