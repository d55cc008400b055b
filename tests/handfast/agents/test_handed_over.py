from __future__ import annotations

import json

from handfast.agents.handed_over import HandedOver


def test_what_is_stored_is_all_but_the_value() -> None:
    carried = HandedOver(object(), "a", "transfer_to_b", '{"reason": "x"}')
    assert json.loads(json.dumps(carried.to_data())) == {
        "source": "a",
        "tool_name": "transfer_to_b",
        "arguments": '{"reason": "x"}',
    }
