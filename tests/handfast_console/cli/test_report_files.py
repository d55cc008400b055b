from __future__ import annotations

import os
from pathlib import Path

import pytest

from command_line import names_in
from handfast import AuditError, UserError, verify_file
from handfast_console.cli.report_files import (
    AUDIT_FILE,
    REPORT_FILES,
    AuditFile,
    check_folder,
    write_report,
)
from handfast_inspect.report.json_report import read_json
from made_inspections import hostile_inspection, sample_inspection


def test_all_four_files_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    write_report(folder, sample_inspection(), "en")
    assert names_in(folder) == set(REPORT_FILES)
    assert read_json((folder / "report.json").read_text("utf-8")) == sample_inspection()


def test_a_later_report_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    write_report(tmp_path, sample_inspection(), "en")
    before = (tmp_path / "report.html").read_bytes()
    with (tmp_path / "report.html").open("rb") as still_open:
        write_report(tmp_path, hostile_inspection(), "zh")
        assert still_open.read() == before
    assert (tmp_path / "report.html").read_bytes() != before
    assert names_in(tmp_path) == set(REPORT_FILES)


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    write_report(tmp_path, sample_inspection(), "en")
    before = {name: (tmp_path / name).read_bytes() for name in REPORT_FILES}
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="choose another folder with --out"):
        write_report(tmp_path / "file", sample_inspection(), "en")
    assert {name: (tmp_path / name).read_bytes() for name in REPORT_FILES} == before


def test_a_folder_that_can_be_made_is_fine_and_is_not_made_yet(tmp_path: Path) -> None:
    check_folder(tmp_path)
    check_folder(tmp_path / "new" / "newer")
    assert names_in(tmp_path) == set()


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="file is no folder: choose another"):
        check_folder(tmp_path / "file")
    with pytest.raises(UserError, match="file is no folder: choose another"):
        check_folder(tmp_path / "file" / "below")


@pytest.mark.parametrize("name", [*REPORT_FILES, AUDIT_FILE])
def test_a_folder_where_a_file_belongs_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(UserError, match=f"{name} is no file: move it"):
        check_folder(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UserError, match="cannot be written: choose another folder"):
        check_folder(tmp_path / "new")


def test_the_audit_is_made_by_its_first_record(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    audit = AuditFile(folder)
    assert names_in(folder) == set()
    audit.record("inspection", {"step": "started"})
    audit.record("inspection", {"step": "ended"})
    audit.close()
    assert names_in(folder) == {AUDIT_FILE, f"{AUDIT_FILE}.head"}
    assert verify_file(folder / AUDIT_FILE).records == 2


def test_an_audit_that_is_there_is_continued(tmp_path: Path) -> None:
    for _ in range(2):
        audit = AuditFile(tmp_path)
        audit.record("inspection", {"step": "started"})
        audit.close()
    found = verify_file(tmp_path / AUDIT_FILE)
    assert (found.ok, found.records) == (True, 2)


def test_an_audit_that_was_changed_is_not_continued(tmp_path: Path) -> None:
    audit = AuditFile(tmp_path)
    audit.record("inspection", {"step": "started"})
    audit.close()
    (tmp_path / AUDIT_FILE).write_bytes(b"")
    again = AuditFile(tmp_path)
    with pytest.raises(AuditError, match="cut or changed"):
        again.record("inspection", {})
    again.close()


def test_a_folder_that_cannot_be_made_stops_the_first_record(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be made"):
        AuditFile(tmp_path / "file" / "below").record("inspection", {})


def test_closing_without_a_record_is_fine(tmp_path: Path) -> None:
    AuditFile(tmp_path / "new").close()
    assert names_in(tmp_path) == set()
