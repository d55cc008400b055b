"""Runs the peers side by side and prints one table per workload.

    python run.py                                  everything that is installed
    python run.py --peers floor,openai_agents,handfast --workloads turns,handoffs
    python run.py --install                        first make the virtual environments
    python run.py --show --json out.json           the tables of earlier results

Every peer has its own environment under --venvs, named like its file in peers/.
Ratios: to the hand-written loop (floor) and to openai-agents.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FLOORS = [
    "floor",
    "floor_sync",
    "floor_rich",
    "floor_openai_raw",
    "floor_httpx",
    "floor_raw",
]  # one environment, floor's
PEERS = [
    "openai_agents",
    "pydantic_ai",
    "langgraph",
    "agent_framework",
    "autogen",
    "strands",
    "google_adk",
    "agno",
    "smolagents",
    "crewai",
    "handfast",
]

# Workload: the unit, the digits, and the cases.  A case: label, parameters, path in the result.
Case = tuple[str, dict[str, Any], str]
WORKLOADS: dict[str, tuple[str, list[Case]]] = {
    "turns": (
        "W1 turns: CPU microseconds per model call",
        [
            ("N=10", {"n": 10}, "us_per_turn.cpu"),
            ("N=50", {"n": 50}, "us_per_turn.cpu"),
            ("N=200", {"n": 200}, "us_per_turn.cpu"),
            ("N=50 sync tool", {"n": 50, "tool": "sync"}, "us_per_turn.cpu"),
            ("N=50 tracing", {"n": 50, "tracing": True}, "us_per_turn.cpu"),
            ("N=50 HTTP", {"n": 50, "http": True}, "us_per_turn.cpu"),
        ],
    ),
    "handoffs": (
        "W2 handoffs: CPU microseconds per handoff",
        [
            (f"K={k} {mode}", {"k": k, "mode": mode}, "us_per_handoff.cpu")
            for k in (10, 50)
            for mode in ("plain", "filter", "nest")
        ],
    ),
    "parallel": (
        "W3 parallel tools: milliseconds for 50 tool calls of 20 ms in one turn (ideal 20)",
        [
            ("wall", {"tool": "async"}, "ms.wall"),
            ("CPU", {"tool": "async"}, "ms.cpu"),
            ("sync tools, wall", {"tool": "sync"}, "ms.wall"),
            ("sync tools, CPU", {"tool": "sync"}, "ms.cpu"),
        ],
    ),
    "concurrency": (
        "W4 concurrency: 3 turns of 50 ms each (ideal 6667 and 33333 runs/s)",
        [
            ("1000: CPU us/run", {"n": 1000}, "us_per_run.cpu"),
            ("1000: runs/s", {"n": 1000}, "runs_per_s"),
            ("1000: peak MiB", {"n": 1000}, "peak_rss_mb"),
            ("1000: KiB/run", {"n": 1000}, "kib_per_run"),
            ("5000: CPU us/run", {"n": 5000}, "us_per_run.cpu"),
            ("5000: runs/s", {"n": 5000}, "runs_per_s"),
            ("5000: peak MiB", {"n": 5000}, "peak_rss_mb"),
        ],
    ),
    "streaming": (
        "W5 streaming: CPU microseconds per text delta (2000 deltas)",
        [
            ("fake model", {"n": 2000}, "us_per_delta.cpu"),
            ("HTTP", {"n": 2000, "http": True}, "us_per_delta.cpu"),
            ("deltas seen", {"n": 2000}, "deltas_seen"),
        ],
    ),
    "cold": (
        "W6 cold start",
        [
            ("import CPU ms", {}, "cpu_ms"),
            ("importtime ms", {}, "importtime_ms"),
            ("RSS MiB", {}, "rss_mb"),
            ("modules", {}, "modules"),
            ("with OpenAI: CPU ms", {"openai": True}, "cpu_ms"),
            ("with OpenAI: RSS MiB", {"openai": True}, "rss_mb"),
            ("distributions", {}, "dists"),
            ("MiB on disk", {}, "site_packages_mb"),
        ],
    ),
    "instantiate": (
        "W7 instantiation of an agent with one tool",
        [
            ("CPU us", {}, "us.cpu"),
            ("KiB", {}, "kib"),
            ("CPU us to first answer", {}, "us_to_first_answer.cpu"),
        ],
    ),
}
ALONE = {"concurrency"}  # a process of its own for each case, for the memory numbers


def interpreter(peer: str, venvs: Path) -> Path:
    return venvs / ("floor" if peer in FLOORS else peer) / "bin" / "python"


def install(peers: list[str], venvs: Path) -> None:
    for peer in dict.fromkeys("floor" if p in FLOORS else p for p in peers):
        wanted = ["-r", HERE / "requirements" / f"{peer}.txt"]
        if peer == "handfast":  # this checkout
            wanted = ["-e", f"{HERE.parent}[openai]"]
        if not interpreter(peer, venvs).exists():
            subprocess.run([sys.executable, "-m", "venv", venvs / peer], check=True)
            subprocess.run([interpreter(peer, venvs), "-m", "pip", "install", "-q", *wanted], check=True)


def results(command: list[Any], limit: float) -> list[Any]:
    """The RESULT lines of a worker."""
    env = {**os.environ, "PYTHONPATH": str(HERE), "PYTHONHASHSEED": "0"}
    with subprocess.Popen(
        [str(c) for c in command], cwd=HERE, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as p:
        try:
            out, err = p.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
    found = [json.loads(line[7:]) for line in out.splitlines() if line.startswith("RESULT ")]
    if not found:
        found = [{"error": err[-800:] or "timed out"}]
    return found


def importable(peer: str, python: Path) -> bool:
    if not python.exists():
        return False
    module = "json" if peer in FLOORS else f"peers.{peer}"
    check = [python, "-c", f"import {module}"]
    return subprocess.run(check, cwd=HERE, capture_output=True).returncode == 0


def measure(peer: str, workloads: list[str], args: argparse.Namespace, base_url: str) -> dict[str, Any]:
    """All cases of one peer: key to result."""
    python = interpreter(peer, args.venvs)
    groups: dict[str, list[Any]] = {}
    for w in workloads:
        if w == "cold":
            continue
        for _, params, _ in WORKLOADS[w][1]:
            case = [w, params]
            group = key(case) if w in ALONE else "tracing" if params.get("tracing") else "main"
            if case not in groups.setdefault(group, []):
                groups[group].append(case)
    out: dict[str, Any] = {}
    for cases in groups.values():
        tracing = bool(cases[0][1].get("tracing"))
        sent = []
        for w, params in cases:
            p = {k: v for k, v in params.items() if k not in ("http", "tracing")}
            sent.append([w, {**p, "base_url": base_url} if params.get("http") else p])
        settings = {"reps": args.reps, "budget": args.budget, "limit": args.limit, "tracing": tracing}
        command = [python, "worker.py", peer, json.dumps(settings), json.dumps(sent)]
        found = results(command, (args.limit + 30) * len(cases))
        for i, case in enumerate(cases):
            r = found[i] if i < len(found) else {"error": "no result"}
            out[key(case)] = r[2] if isinstance(r, list) else r
    if "cold" in workloads:
        out |= measure_cold(peer, python, args.reps)
    return out


def measure_cold(peer: str, python: Path, reps: int) -> dict[str, Any]:
    show = (
        f"from peers.{peer} import Peer as P; import json; print('RESULT', json.dumps([P.imports, P.imports_openai]))"
    )
    lines = results([python, "-c", show], 300)[0]
    out: dict[str, Any] = {}
    if isinstance(lines, list):
        for params, line in (({}, lines[0]), ({"openai": True}, lines[1])):
            if line:
                out[key(["cold", params])] = results([python, "cold.py", line, reps], 900)[0]
    return out


def key(case: list[Any]) -> str:
    return case[0] + " " + json.dumps(case[1], sort_keys=True)


def value(result: dict[str, Any] | None, path: str) -> float | str:
    if not result:
        return "-"
    if "unsupported" in result:
        return "n/a"
    if "error" in result:
        late = any(s in result["error"] for s in ("TimeoutError", "over the limit", "timed out"))
        return "timeout" if late else "error"
    v: Any = result
    for part in path.split("."):
        v = v[part]
    return float(v["median"] if isinstance(v, dict) else v)


def show(x: float | str) -> str:
    if isinstance(x, str):
        return x
    return f"{x:,.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def table(workload: str, all_results: dict[str, dict[str, Any]]) -> str:
    """Markdown: each cell the median, then in brackets the ratio to floor and to openai-agents."""
    title, cases = WORKLOADS[workload]
    rows = [["peer", *(label for label, _, _ in cases)]]
    for peer, found in all_results.items():
        row = [peer]
        for _, params, path in cases:
            k = key([workload, params])
            v = value(found.get(k), path)
            cell = show(v)
            ratios = []
            for other in ("floor", "openai_agents"):
                base = value(all_results.get(other, {}).get(k), path)
                known = isinstance(v, float) and isinstance(base, float) and base > 0
                ratios.append(f"{show(v / base)}x" if known else "-")
            if peer != "floor" and ratios != ["-", "-"]:
                cell += f" ({', '.join(ratios)})"
            row.append(cell)
        if any(c not in ("n/a", "-") for c in row[1:]):
            rows.append(row)
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    lines = ["| " + " | ".join(c.ljust(w) for c, w in zip(r, widths)) + " |" for r in rows]
    lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return f"{title}\n\n" + "\n".join(lines) + "\n"


def main() -> None:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--peers", default="all")
    a.add_argument("--workloads", default="all")
    a.add_argument("--venvs", type=Path, default=HERE / ".venvs")
    a.add_argument("--install", action="store_true", help="make the missing environments first")
    a.add_argument("--reps", type=int, default=7)
    a.add_argument("--budget", type=float, default=20, help="CPU seconds for the repeats of one case")
    a.add_argument("--limit", type=int, default=300, help="wall seconds for one case")
    a.add_argument("--json", type=Path, help="read earlier results from this file, and write all results to it")
    a.add_argument("--show", action="store_true", help="measure nothing: only print the tables of --json")
    args = a.parse_args()
    args.venvs = args.venvs.absolute()
    peers = [*FLOORS, *PEERS] if args.peers == "all" else args.peers.split(",")
    order = [*FLOORS, *PEERS]
    workloads = list(WORKLOADS) if args.workloads == "all" else args.workloads.split(",")
    if args.install:
        install(peers, args.venvs)

    all_results: dict[str, dict[str, Any]] = {}
    if args.json and args.json.exists():
        all_results = json.loads(args.json.read_text())
    if not args.show:
        measure_all(peers, workloads, args, all_results)
    shown = {p: all_results[p] for p in sorted(all_results, key=order.index) if p in peers}
    for w in workloads:
        print(table(w, shown))


def measure_all(peers: list[str], workloads: list[str], args: argparse.Namespace, all_results: dict[str, Any]) -> None:
    with subprocess.Popen(
        [sys.executable, HERE / "stub_server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout and server.stdin
        base_url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1/"
        for peer in peers:
            if not importable(peer, interpreter(peer, args.venvs)):
                print(f"{peer}: skipped, not installed", file=sys.stderr)
                continue
            print(f"{peer} ...", file=sys.stderr, flush=True)
            all_results.setdefault(peer, {}).update(measure(peer, workloads, args, base_url))
            if args.json:
                args.json.write_text(json.dumps(all_results, indent=1))
        server.stdin.close()


if __name__ == "__main__":
    main()
