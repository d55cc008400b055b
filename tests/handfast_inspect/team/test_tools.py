from __future__ import annotations

import json
import re

from handfast_inspect.gathering import Gathering
from handfast_inspect.lab.injections import ANSI, FAKE_TURN, ORDER_ENGLISH
from handfast_inspect.probes.catalog import PROBES
from handfast_inspect.team.tools import (
    evidence_tool,
    findings_tool,
    probe_tool,
    section_tool,
    tool_name,
)
from handfast_inspect.team.window import WINDOW
from handfast_inspect.team.work import TeamWork
from team_play import invoke, seeing


def test_every_probe_has_a_name_of_its_own_that_providers_take() -> None:
    names = [tool_name(probe) for probe in PROBES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)


async def test_a_probe_has_no_arguments_and_answers_with_what_it_saw(gathering: Gathering) -> None:
    tool = probe_tool(seeing("http.methods", "hello"), gathering)
    assert tool.params_json_schema["properties"] == {}
    found = json.loads(await invoke(tool))
    finding, evidence = found["rows"]
    assert (finding["rule"], finding["severity"]) == ("http.methods", "low")
    assert evidence["summary"] == "summary: hello"
    assert finding["evidence"] == [evidence["evidence"]]


async def test_a_probe_says_what_it_could_not_see(gathering: Gathering) -> None:
    probe = seeing("http.methods", "x")
    await gathering.give_up([probe], "<|no answer|>")
    found = json.loads(await invoke(probe_tool(probe, gathering)))
    assert found["rows"] == [{"not_seen": "‹|no answer|>"}]


async def test_what_a_target_sent_comes_as_harmless_data(gathering: Gathering) -> None:
    hostile = ANSI + FAKE_TURN + ORDER_ENGLISH
    text = await invoke(probe_tool(seeing("http.methods", hostile), gathering))
    shown = await invoke(evidence_tool(gathering), evidence_id=gathering.evidence[0].id)
    for answer in (text, shown):
        assert "\x1b" not in answer
        assert "<|im_start|>" not in answer
        assert "PLANTED" in answer


async def test_evidence_is_shown_by_its_id_a_window_at_a_time(gathering: Gathering) -> None:
    await gathering.look(seeing("http.methods", "0123456789" * 400))
    tool = evidence_tool(gathering)
    evidence = gathering.evidence[0].id
    first = json.loads(await invoke(tool, evidence_id=evidence))
    assert first["length"] == 4000
    assert first["data"] == ("0123456789" * 400)[:WINDOW]
    rest = json.loads(await invoke(tool, evidence_id=evidence, start=3995))
    assert rest["data"] == "56789"
    before = json.loads(await invoke(tool, evidence_id=evidence, start=-5))
    assert before == first


async def test_an_unknown_id_gets_an_answer_that_helps(gathering: Gathering) -> None:
    answer = await invoke(evidence_tool(gathering), evidence_id="<|x|>" + "y" * 1000)
    assert "list_findings shows the ids" in answer
    assert "<|" not in answer
    assert len(answer) < 300


async def test_findings_are_listed_with_their_evidence(gathering: Gathering) -> None:
    tool = findings_tool(gathering)
    assert json.loads(await invoke(tool)) == {"total": 0, "rows": []}
    await gathering.look(seeing("http.methods", "x"))
    listed = json.loads(await invoke(tool))
    assert listed["rows"][0]["evidence"] == [gathering.evidence[0].id]
    assert json.loads(await invoke(tool, start=1))["rows"] == []


async def test_a_section_is_kept_and_uncited_sentences_are_counted(gathering: Gathering) -> None:
    await gathering.look(seeing("http.methods", "x"))
    evidence = gathering.evidence[0].id
    work = TeamWork()
    tool = section_tool(gathering, work)
    cited = f"TRACE is allowed [{evidence}]."
    assert await invoke(tool, subject="web", text=cited) == "Written."
    answer = await invoke(tool, subject="web", text=f"{cited} All is well. Trust [web:00000000].")
    assert answer.startswith("Written, but 2 sentences cite no known evidence")
    assert len(work.sections) == 1


async def test_headings_cannot_be_made_up(gathering: Gathering) -> None:
    work = TeamWork()
    answer = await invoke(section_tool(gathering, work), subject="Grade A+", text="All is well.")
    assert work.sections == ()
    assert "subject" in answer
