"""The report's files and the audit beside them; nothing is written for what could not run."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from handfast import AuditLog, FileLog, UserError
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.report.html import render_html
from handfast_inspect.report.json_report import render_json
from handfast_inspect.report.markdown import render_markdown
from handfast_inspect.report.sarif import render_sarif
from handfast_inspect.report.wording import Lang

AUDIT_FILE: Final = "audit.jsonl"
REPORT_FILES: Final = ("report.json", "report.md", "report.html", "report.sarif")


def check_folder(folder: Path) -> None:
    """See that the report's files can be written, before any work is done; nothing is made.

    Raises:
        UserError: Something is in the way, or the folder cannot be written.
    """
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise UserError(f"--out {folder}: {there} is no folder: choose another.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UserError(f"--out {folder}: {there} cannot be written: choose another folder.")
    for name in (*REPORT_FILES, AUDIT_FILE):
        path = folder / name
        if path.exists() and not path.is_file():
            raise UserError(
                f"--out {folder}: {path} is no file: move it, or choose another folder."
            )


class AuditFile:
    """The audit log of an inspection, made with its folder when the first record comes.

    A log that is there already is continued.

    Args:
        folder: Where it lies.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: FileLog | None = None

    def record(self, kind: str, data: Mapping[str, object]) -> object:
        """Write one record.

        Raises:
            AuditError: It cannot be written; what it tells of must then not happen.
            UserError: The folder cannot be made.
        """
        if self._file is None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(
                    f"--out {self._folder} cannot be made ({error.strerror}): choose another."
                ) from None
            self._file = FileLog(self._folder / AUDIT_FILE, durable=False)
        return AuditLog(self._file).record(kind, data)

    def close(self) -> None:
        """Close the file, where there is one."""
        if self._file is not None:
            self._file.close()


def write_report(folder: Path, inspection: Inspection, lang: Lang) -> None:
    """Write `report.json`, `report.md`, `report.html` and `report.sarif`.

    Each takes the place of an older one at once; a reader never sees half a file.

    Raises:
        UserError: They cannot be written.
    """
    contents = (
        render_json(inspection),
        render_markdown(inspection, lang),
        render_html(inspection, lang),
        render_sarif(inspection),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".report-") as made:
            work = Path(made)
            for name, text in zip(REPORT_FILES, contents, strict=True):
                (work / name).write_text(text, encoding="utf-8")
            for name in REPORT_FILES:
                (work / name).replace(folder / name)
    except OSError as error:
        raise UserError(
            f"The report cannot be written to {folder} ({error.strerror}): free some space, or "
            "choose another folder with --out.",
        ) from None
