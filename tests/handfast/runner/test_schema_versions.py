from __future__ import annotations

from handfast import Agent, Runner
from handfast.runner.schema_versions import (
    CURRENT_SCHEMA_VERSION,
    SCHEMA_VERSION_SUMMARIES,
    SUPPORTED_SCHEMA_VERSIONS,
)
from handfast.testing.messages import assistant_message
from handfast.testing.scripted_model import ScriptedModel


def test_what_is_written_can_be_read() -> None:
    assert CURRENT_SCHEMA_VERSION in SUPPORTED_SCHEMA_VERSIONS


def test_each_version_says_what_it_holds() -> None:
    assert frozenset(SCHEMA_VERSION_SUMMARIES) == SUPPORTED_SCHEMA_VERSIONS
    assert all(SCHEMA_VERSION_SUMMARIES.values())


async def test_a_stored_run_counts_the_major_part() -> None:
    agent = Agent(name="a", model=ScriptedModel([[assistant_message("hi")]]))
    stored = (await Runner.run(agent, "go")).to_state().to_json()
    assert stored["schema_version"] == int(CURRENT_SCHEMA_VERSION.split(".")[0])
