"""The report's files: all of them or, where they cannot be written, none."""

from __future__ import annotations

import tempfile
from pathlib import Path

from handfast import UserError
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.report.html import render_html
from handfast_inspect.report.json_report import render_json
from handfast_inspect.report.markdown import render_markdown
from handfast_inspect.report.sarif import render_sarif
from handfast_inspect.report.wording import Lang


def check_folder(folder: Path) -> None:
    """Make the folder and see that it can be written, before any work is done.

    Raises:
        UserError: It cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UserError(
            f"--out {folder} cannot be written ({error.strerror}): choose another folder.",
        ) from None


def write_report(folder: Path, inspection: Inspection, lang: Lang) -> None:
    """Write `report.json`, `report.md`, `report.html` and `report.sarif`.

    Raises:
        UserError: One of them cannot be written; then none was replaced.
    """
    contents = {
        "report.json": render_json(inspection),
        "report.md": render_markdown(inspection, lang),
        "report.html": render_html(inspection, lang),
        "report.sarif": render_sarif(inspection),
    }
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".report-") as work:
            for name, text in contents.items():
                (Path(work) / name).write_text(text, encoding="utf-8")
            for name in contents:
                Path(Path(work) / name).replace(folder / name)
    except OSError as error:
        raise UserError(
            f"The report cannot be written to {folder} ({error.strerror}): free some space, or "
            "choose another folder with --out.",
        ) from None
