"""`AgentRunner`: what runs agents, as an object that a program can replace."""

from __future__ import annotations

from typing_extensions import Unpack

from handfast.agents.agent import AnyAgent
from handfast.runner.config import RunConfig
from handfast.runner.drive import drive
from handfast.runner.own_loop import run_in_own_loop
from handfast.runner.own_provider import closing
from handfast.runner.preparation import RunInput, RunOptions, prepare
from handfast.runner.result import RunResult, raise_stopped
from handfast.runner.run_state import RunState
from handfast.runner.run_trace import run_trace, untraced
from handfast.runner.stream import RunResultStreaming


class AgentRunner:
    """Runs agents. `Runner` passes everything to the default one."""

    async def run(
        self,
        starting_agent: AnyAgent,
        input: RunInput,  # noqa: A002 - the SDK's name
        **options: Unpack[RunOptions],
    ) -> RunResult:
        """Run an agent until there is an output; see `Runner.run`."""
        config = RunConfig.of(options.get("run_config"))
        with run_trace(config, input.trace if isinstance(input, RunState) else None):
            prepared = prepare(starting_agent, input, options, config, drive)
            async with closing(config.model_provider, own=prepared.owns_provider):
                await drive(prepared.run, await prepared.begin())
        raise_stopped(prepared.run)
        return RunResult.of(prepared.run)

    def run_sync(
        self,
        starting_agent: AnyAgent,
        input: RunInput,  # noqa: A002 - the SDK's name
        **options: Unpack[RunOptions],
    ) -> RunResult:
        """Run an agent from code without an event loop; see `Runner.run_sync`."""
        return run_in_own_loop(self.run(starting_agent, input, **options))

    def run_streamed(
        self,
        starting_agent: AnyAgent,
        input: RunInput,  # noqa: A002 - the SDK's name
        **options: Unpack[RunOptions],
    ) -> RunResultStreaming:
        """Start a run and return at once; see `Runner.run_streamed`."""
        config = RunConfig.of(options.get("run_config"))
        with untraced(config):
            prepared = prepare(starting_agent, input, options, config, drive)
        return RunResultStreaming.start(prepared)


class _Default:
    def __init__(self) -> None:
        self.runner = AgentRunner()


_DEFAULT = _Default()


def get_default_agent_runner() -> AgentRunner:
    """The runner that `Runner` passes everything to."""
    return _DEFAULT.runner


def set_default_agent_runner(runner: AgentRunner | None) -> None:
    """Replace the runner that `Runner` passes everything to; None goes back to handfast's own."""
    _DEFAULT.runner = AgentRunner() if runner is None else runner
