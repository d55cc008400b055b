"""`handfast inspect`: make an inspection and write its report."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from handfast import AuditLog, FileLog, Model, MultiProvider, UserError, load_scope
from handfast_console.cli.commands import Commands
from handfast_console.cli.exit_codes import CLEAN, COULD_NOT_RUN, FAILED
from handfast_console.cli.report_files import check_folder, write_report
from handfast_console.cli.terminal import Terminal
from handfast_inspect.findings.finding import Severity
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.findings.store import count_by_severity
from handfast_inspect.inspection import INTERRUPTED, inspect
from handfast_inspect.order import Order
from handfast_inspect.report.json_report import render_json

_NEVER = "never"


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "inspect",
        help="inspect a domain or host inside a written scope",
        description="Inspect TARGET and report only what there is evidence for.",
        epilog="Exit code: 0 nothing as severe as --fail-on, 1 something is, 2 could not run.",
    )
    parser.add_argument(
        "target", metavar="TARGET", help="a name such as example.org, or an address"
    )
    parser.add_argument("--scope", required=True, type=Path, metavar="FILE", help="scope.toml")
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="let a team of agents lead, for example deepseek:deepseek-chat or ollama:qwen3; "
        "without it the fixed workflow runs, which needs no key",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the report is written")
    parser.add_argument(
        "--fail-on",
        choices=[*[severity.value for severity in Severity], _NEVER],
        default=Severity.HIGH.value,
        help="the severity from which on the exit code is 1 (default: high)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--ca", type=Path, metavar="PEM", help="trust these certificates only")
    parser.add_argument("--nmap", action="store_true", help="run the real nmap too")
    parser.add_argument("--dkim-selector", action="append", default=[], metavar="NAME")
    parser.add_argument("--http-port", type=_port, metavar="N")
    parser.add_argument("--https-port", type=_port, metavar="N")
    parser.add_argument("--lang", choices=["en", "zh"], default="en", help="language of the report")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the subcommand.

    Raises:
        HandfastError: It could not run; the message says what to do.
    """
    out: Path | None = options.out
    if out is None and not options.json:
        out = Path("handfast-report")
    order = Order(
        target=options.target,
        scope=load_scope(options.scope),
        scope_text=options.scope.read_text(encoding="utf-8"),
        model=_model(options.model),
        trust=_readable(options.ca),
        use_nmap=options.nmap,
        dkim_selectors=tuple(options.dkim_selector),
        http_port=options.http_port,
        https_port=options.https_port,
        lang=options.lang,
    )
    if out is not None:
        check_folder(out)
    terminal = Terminal()
    audit = None if out is None else AuditLog(FileLog(out / "audit.jsonl", durable=False))
    try:
        inspection = asyncio.run(_inspect(order, terminal, audit))
    finally:
        terminal.close()
    if out is not None:
        write_report(out, inspection, options.lang)
    if options.json:
        sys.stdout.write(render_json(inspection))
    else:
        _say_summary(inspection, out)
    if inspection.mode_reason == INTERRUPTED:
        terminal.warn("interrupted; the report holds what had been seen until then")
        return COULD_NOT_RUN
    return _exit_code(inspection, options.fail_on)


async def _inspect(order: Order, terminal: Terminal, audit: AuditLog | None) -> Inspection:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    # The first Ctrl+C ends the looking and writes what is there; a second one is Python's own.
    loop.add_signal_handler(signal.SIGINT, _interrupt, loop, stop)
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    try:
        return await inspect(order, terminal.tell, stop=stop, audit=audit)
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)


def _interrupt(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    stop.set()
    loop.remove_signal_handler(signal.SIGINT)


def _model(name: str | None) -> Model | None:
    if name is None:
        return None
    try:
        return MultiProvider().get_model(name)
    except UserError as error:
        raise UserError(
            f"{error} Or leave --model out: the inspection needs no model.",
        ) from None


def _readable(path: Path | None) -> Path | None:
    if path is not None and not path.is_file():
        raise UserError(f"--ca {path}: there is no such file.")
    return path


def _say_summary(inspection: Inspection, out: Path | None) -> None:
    counts = count_by_severity(inspection.findings)
    found = ", ".join(f"{count} {severity.value}" for severity, count in counts.items() if count)
    coverage = inspection.coverage
    print(f"{inspection.target}: {found or 'nothing found'}")
    for grade in inspection.grades:
        print(f"web grade of {grade.host}: {grade.grade} ({grade.score})")
    print(
        f"coverage: {coverage.percent:g} % ({coverage.rules_tested} of {coverage.rules} rules, "
        f"{coverage.not_tested} checks not tested)",
    )
    if inspection.mode_reason:
        print(f"note: {inspection.mode_reason}")
    if out is not None:
        print(f"report: {out / 'report.html'}")


def _exit_code(inspection: Inspection, fail_on: str) -> int:
    if fail_on == _NEVER:
        return CLEAN
    threshold = Severity(fail_on)
    return FAILED if any(f.severity >= threshold for f in inspection.findings) else CLEAN


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else 0
    if not 0 < port < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 1 to 65535")
    return port
