"""`handfast inspect`: make an inspection and write its report."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import signal
import ssl
from pathlib import Path
from typing import Final

from handfast import Model, ModelProvider, MultiProvider, Scope, ScopeError, UserError, parse_scope
from handfast.network.connect import verified_context
from handfast_console.cli.commands import Commands
from handfast_console.cli.exit_codes import CLEAN, COULD_NOT_RUN, FAILED
from handfast_console.cli.report_files import AuditFile, check_folder, write_report
from handfast_console.cli.summary import summary_of
from handfast_console.cli.terminal import Terminal, put
from handfast_inspect.findings.finding import Severity
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.inspection import ended_early, inspect
from handfast_inspect.order import Order, target_of
from handfast_inspect.report.json_report import render_json

NEVER: Final = "never"
MAX_SCOPE_FILE: Final = 1_000_000
"""Bytes of a scope file."""
DEFAULT_OUT: Final = Path("handfast-report")

_OR_WITHOUT: Final = "Or leave --model out: the inspection needs no model."
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)


def add_to(commands: Commands) -> None:
    """Add the subcommand."""
    parser = commands.add_parser(
        "inspect",
        help="inspect a domain or host inside a written scope",
        description="Inspect TARGET and report only what there is evidence for.",
        epilog="Exit code: 0 nothing as severe as --fail-on, 1 something is, 2 could not run, or "
        "not to the end.",
    )
    parser.add_argument(
        "target", metavar="TARGET", help="a name such as example.org, or an address"
    )
    parser.add_argument(
        "--scope",
        required=True,
        type=Path,
        metavar="FILE",
        help="what may be inspected, and who allowed it; handfast scope new writes one",
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="let a team of agents lead, for example deepseek:deepseek-chat or ollama:qwen3; "
        "without it the fixed workflow runs, which needs no key",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"where the report is written (default: {DEFAULT_OUT}; with --json nowhere)",
    )
    parser.add_argument(
        "--fail-on",
        choices=[*[severity.value for severity in Severity], NEVER],
        default=Severity.HIGH.value,
        help="the severity from which on the exit code is 1 (default: high)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    _add_details(parser)
    parser.set_defaults(run=run)


def _add_details(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ca", type=Path, metavar="PEM", help="trust these certificates only")
    parser.add_argument("--nmap", action="store_true", help="run the real nmap too")
    parser.add_argument("--dkim-selector", action="append", default=[], metavar="NAME")
    parser.add_argument("--http-port", type=_port, metavar="N", help="where http is spoken")
    parser.add_argument("--https-port", type=_port, metavar="N", help="where https is spoken")
    parser.add_argument("--lang", choices=["en", "zh"], default="en", help="language of the report")


def run(options: argparse.Namespace) -> int:
    """Run the subcommand.

    Raises:
        HandfastError: It could not run; the message says what to do, and nothing was written.
    """
    models = MultiProvider()
    order = _order(options, models)
    target_of(order)
    out: Path | None = options.out or (None if options.json else DEFAULT_OUT)
    if out is not None:
        check_folder(out)
    terminal = Terminal(environment=options.environment)
    try:
        inspection = asyncio.run(_inspect(order, terminal, out, models))
    finally:
        terminal.close()
    if out is not None:
        write_report(out, inspection, order.lang)
    if options.json:
        put(render_json(inspection), "utf-8")  # whatever the terminal: RFC 8259, section 8.1
    else:
        put(summary_of(inspection, out, order.lang))
    if ended_early(inspection):
        kept = f" in {out}" if out else ""
        terminal.warn(f"ended early; the report{kept} holds what had been seen until then")
        return COULD_NOT_RUN
    return _exit_code(inspection, options.fail_on)


async def _inspect(
    order: Order, terminal: Terminal, out: Path | None, models: ModelProvider
) -> Inspection:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def end_early() -> None:
        # The first signal ends the looking and writes what is there; a second one kills.
        stop.set()
        for number in _STOPPING:
            loop.remove_signal_handler(number)

    for number in _STOPPING:
        loop.add_signal_handler(number, end_early)
    audit = None if out is None else AuditFile(out)
    try:
        return await inspect(order, terminal.tell, stop=stop, audit=audit)
    finally:
        if audit is not None:
            audit.close()
        await models.aclose()


def _order(options: argparse.Namespace, models: ModelProvider) -> Order:
    scope, text = _scope(options.scope)
    return Order(
        target=options.target,
        scope=scope,
        scope_text=text,
        model=None if options.model is None else _model(options.model, models),
        trust=_trust(options.ca),
        use_nmap=options.nmap,
        dkim_selectors=tuple(options.dkim_selector),
        http_port=options.http_port,
        https_port=options.https_port,
        lang=options.lang,
    )


def _scope(path: Path) -> tuple[Scope, str]:
    """The scope and its text, from one reading: what the report's digest is of was in force."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_SCOPE_FILE + 1)
        text = content.decode("utf-8")
    except FileNotFoundError as error:
        raise ScopeError(
            f"{path}: there is no such file. Write one for what its owner allowed: handfast scope "
            f"new TARGET --by NAME --contact ADDRESS --out {path}"
        ) from error
    except OSError as error:
        raise ScopeError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ScopeError(f"{path}: is not UTF-8 text") from error
    if len(content) > MAX_SCOPE_FILE:
        raise ScopeError(f"{path}: is larger than {MAX_SCOPE_FILE} bytes; that is no scope")
    return parse_scope(text, source=str(path)), text


def _model(name: str, models: ModelProvider) -> Model:
    try:
        model = models.get_model(name)
    except UserError as error:
        raise UserError(f"{error} {_OR_WITHOUT}") from None
    if importlib.util.find_spec("openai") is None:
        raise UserError(f"--model needs: pip install 'handfast[openai]'. {_OR_WITHOUT}")
    return model


def _trust(path: Path | None) -> Path | None:
    if path is None:
        return None
    try:
        verified_context(path)
    except FileNotFoundError:
        raise UserError(f"--ca {path}: there is no such file.") from None
    except (ssl.SSLError, OSError) as error:
        raise UserError(
            f"--ca {path}: no certificate can be read from it ({error.strerror or error}): give "
            "a file in PEM form.",
        ) from None
    return path


def _exit_code(inspection: Inspection, fail_on: str) -> int:
    if fail_on == NEVER:
        return CLEAN
    threshold = Severity(fail_on)
    return FAILED if any(f.severity >= threshold for f in inspection.findings) else CLEAN


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdecimal() else 0
    if not 0 < port < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 1 to 65535")
    return port
