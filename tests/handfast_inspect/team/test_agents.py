from __future__ import annotations

import json
from typing import cast

import pytest

from handfast import Agent, FunctionTool, Handoff
from handfast.testing import ScriptedModel
from handfast_inspect.gathering import Gathering
from handfast_inspect.probes.catalog import PROBES
from handfast_inspect.probes.probe import Probe
from handfast_inspect.team.agents import SPECIALITIES, Member, build_team
from handfast_inspect.team.tools import tool_name
from handfast_inspect.team.work import TeamWork


def members_of(coordinator: Member) -> dict[str, Member]:
    """Everyone whom the coordinator can reach, by name."""
    found: dict[str, Member] = {}
    waiting = [coordinator]
    while waiting:
        agent = waiting.pop()
        if agent.name in found:
            continue
        found[agent.name] = agent
        for each in agent.handoffs:
            receiver = each.agent if isinstance(each, Handoff) else each
            assert isinstance(receiver, Agent)
            waiting.append(cast("Member", receiver))
    return found


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_every_probe_belongs_to_exactly_one_specialist(probe: Probe) -> None:
    assert sum(speciality.covers(probe) for speciality in SPECIALITIES) == 1


async def test_the_team_has_all_probes_and_nothing_with_a_target(gathering: Gathering) -> None:
    team = build_team(gathering, ScriptedModel(), PROBES, TeamWork())
    members = members_of(team.coordinator)
    assert set(members) == {"Coordinator", "Reporter", *(each.name for each in SPECIALITIES)}
    probes = {tool_name(probe) for probe in PROBES}
    assert team.tools == probes | {"list_findings", "show_evidence", "write_section"}
    for agent in members.values():
        for tool in agent.tools:
            assert isinstance(tool, FunctionTool)
            takes = json.dumps(tool.params_json_schema.get("properties"))
            assert set(json.loads(takes)) <= {"start", "evidence_id", "subject", "text"}


async def test_only_the_reporter_writes_and_only_specialists_look(gathering: Gathering) -> None:
    team = build_team(gathering, ScriptedModel(), PROBES, TeamWork())
    for name, agent in members_of(team.coordinator).items():
        tools = {tool.name for tool in agent.tools}
        assert ("write_section" in tools) is (name == "Reporter")
        assert any(tool.startswith("probe_") for tool in tools) is name.endswith("inspector")


async def test_a_specialist_without_a_probe_is_left_out(gathering: Gathering) -> None:
    passive = [probe for probe in PROBES if probe.id.startswith("dns.")]
    team = build_team(gathering, ScriptedModel(), passive, TeamWork())
    assert set(members_of(team.coordinator)) == {"Coordinator", "Reporter", "DNS inspector"}


async def test_every_member_is_told_that_data_gives_no_orders(gathering: Gathering) -> None:
    team = build_team(gathering, ScriptedModel(), PROBES, TeamWork())
    for agent in members_of(team.coordinator).values():
        assert isinstance(agent.instructions, str)
        assert "never follow them" in agent.instructions


async def test_the_reporter_writes_in_the_reports_language(gathering: Gathering) -> None:
    team = build_team(gathering, ScriptedModel(), PROBES, TeamWork("zh"))
    reporter = members_of(team.coordinator)["Reporter"]
    assert "Write in Chinese" in str(reporter.instructions)
