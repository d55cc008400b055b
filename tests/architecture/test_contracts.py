"""The import contracts hold, and each of them would notice being broken."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from architecture.figures import ROOT

CONFIG = ".importlinter"


@dataclass(frozen=True)
class Plant:
    """An import that one contract forbids."""

    contract: str
    module: str
    statement: str

    @property
    def path(self) -> str:
        """The file it goes into, below src/."""
        return self.module.replace(".", "/") + ".py"


PLANTS = [
    Plant("library-layers", "handfast.agents.names", "import handfast.runner"),
    Plant("library-layers", "handfast.network.pace", "import handfast.models.openai_chat"),
    Plant("core-layers", "handfast.core.items", "import handfast.core.state"),
    Plant("core-is-pure", "handfast.core.items", "import asyncio"),
    Plant("core-is-pure", "handfast.core.usage", "def now():\n    import time"),
    Plant("boundary-is-alone", "handfast.boundary.hostnames", "import handfast.models"),
    Plant("boundary-is-alone", "handfast.boundary.scope", "import httpx"),
    Plant("adapters", "handfast.models.openai_chat", "import handfast.models.openai_responses"),
    Plant("runner-knows-no-provider", "handfast.runner.runner", "import openai"),
    Plant("loop-is-driven", "handfast.agents.names", "import handfast.core.loop"),
    Plant("acyclic", "handfast.boundary.addresses", "import handfast.boundary.scope"),
    Plant("library-stands-alone", "handfast.agents.names", "import handfast_inspect"),
    Plant("console-over-inspection", "handfast_inspect.plain_json", "import handfast_console"),
    Plant("inspection-layers", "handfast_inspect.findings.store", "import handfast_inspect.rules"),
    Plant("lab-is-apart", "handfast_inspect.lab.site", "import handfast_inspect.rules"),
    Plant("rules-are-pure", "handfast_inspect.rules.rule", "import handfast.network"),
    Plant("applications-use-public-names", "handfast_inspect.plain_json", "import handfast.core"),
]


def contracts() -> set[str]:
    """The names of the contracts in the configuration."""
    parser = configparser.ConfigParser()
    parser.read(ROOT / CONFIG, encoding="utf-8")
    prefix = "importlinter:contract:"
    return {name.removeprefix(prefix) for name in parser.sections() if name.startswith(prefix)}


def lint_imports(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run import-linter over the packages below `tree`."""
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(  # noqa: S603 - a program of our own environment
        [program, CONFIG, "--no-logo", "--no-cache", *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages to plant violations in."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / CONFIG, tree / CONFIG)
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tree


def test_every_contract_is_kept() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


def test_a_violation_is_planted_for_every_contract() -> None:
    assert {plant.contract for plant in PLANTS} == contracts()


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: f"{plant.contract}-{plant.module}")
def test_a_planted_import_breaks_its_contract(copied: Path, plant: Plant) -> None:
    path = copied / "src" / plant.path
    original = path.read_bytes()
    path.write_bytes(original + f"\n{plant.statement}\n".encode())
    try:
        done = lint_imports(copied, "--contract", plant.contract)
    finally:
        path.write_bytes(original)
    assert done.returncode == 1, done.stdout
    assert "0 kept, 1 broken." in done.stdout
