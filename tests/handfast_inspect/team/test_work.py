from __future__ import annotations

from typing import get_args

from handfast_inspect.team.work import HEADINGS, MAX_SECTION, Subject, TeamWork


def test_every_subject_has_a_heading_in_both_languages() -> None:
    assert set(HEADINGS) == set(get_args(Subject))
    assert all(all(heading) for heading in HEADINGS.values())


def test_sections_stand_in_the_order_of_their_subjects() -> None:
    work = TeamWork()
    work.write("web", "w")
    work.write("priorities", "p")
    assert [(section.title, section.text) for section in work.sections] == [
        ("What matters most", "p"),
        ("Web site", "w"),
    ]
    assert {section.author for section in work.sections} == {"Reporter"}


def test_headings_are_in_the_reports_language() -> None:
    work = TeamWork("zh")
    work.write("tls", "t")
    assert [section.title for section in work.sections] == ["证书与 TLS"]


def test_a_second_section_on_a_subject_takes_the_place_of_the_first() -> None:
    work = TeamWork()
    work.write("tls", "first")
    work.write("tls", "second")
    assert [section.text for section in work.sections] == ["second"]


def test_a_section_is_cut_to_a_bound() -> None:
    work = TeamWork()
    work.write("tls", "x" * 1_000_000)
    assert len(work.sections[0].text) == MAX_SECTION
