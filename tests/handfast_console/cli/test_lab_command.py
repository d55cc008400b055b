from __future__ import annotations

import os
import subprocess
from pathlib import Path

from command_line import COMMAND, Handfast, environment, names_in
from inspected_laboratory import LaboratoryFiles


def test_it_serves_for_its_duration_and_says_how_to_inspect_it(
    handfast: Handfast, tmp_path: Path
) -> None:
    ended = handfast("lab", "--dir", tmp_path, "--duration", "0.2", "--ready-file", tmp_path / "r")
    assert ended.code == 0
    assert f"handfast inspect bad.lab.example --scope {tmp_path}/scope.toml" in ended.out
    assert ended.out.endswith("The laboratory is closed.\n")
    assert names_in(tmp_path) == {"scope.toml", "ca.pem"}


def test_a_taken_port_is_one_clear_line(
    handfast: Handfast, lab: LaboratoryFiles, tmp_path: Path
) -> None:
    site = lab.laboratory.sites[0]
    base = site.services[0].port - 80
    ended = handfast("lab", "--dir", tmp_path, "--host", site.address, "--base-port", base)
    assert ended.code == 2
    assert "choose another base port or host" in ended.complaint
    assert names_in(tmp_path) == set()


def test_an_address_that_is_not_loopback_is_refused(handfast: Handfast, tmp_path: Path) -> None:
    ended = handfast("lab", "--dir", tmp_path, "--host", "192.0.2.1", "--duration", "0.1")
    assert ended.code == 2
    assert "not loopback" in ended.complaint


def test_a_folder_that_is_a_file_is_one_clear_line(handfast: Handfast, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ended = handfast("lab", "--dir", tmp_path / "file", "--duration", "0.1")
    assert ended.code == 2
    assert "cannot write" in ended.complaint


def test_it_ends_when_nobody_reads_any_more(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(  # noqa: S603 - our own interpreter and module
        [*COMMAND, "lab", "--dir", str(tmp_path), "--base-port", "30000"],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=50,
        env=environment(),
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (2, b"")
    assert names_in(tmp_path) == {"scope.toml", "ca.pem"}
