from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from handfast import (
    Agent,
    BadRequestError,
    ModelRetryAdvice,
    ModelRetryBackoffSettings,
    ModelRetrySettings,
    ModelSettings,
    ProviderUnavailable,
    RateLimitError,
    RetryDecision,
    RetryPolicyContext,
    RunConfig,
    Runner,
    Usage,
    retry_policies,
)
from handfast.agents.model import ModelRequest, Observer
from handfast.agents.raw import ModelResponse
from handfast.agents.retry import PROVIDER_RETRIES_OFF, RetryPolicy
from handfast.runner.model_retry import Retrying, with_retries
from handfast.testing import ModelStep, ScriptedModel, assistant_message

HI = assistant_message("hi")
GONE = ProviderUnavailable("gone")
NETWORK = retry_policies.network_error()


class Attempts:
    """Attempts that fail as told, then succeed."""

    def __init__(self, *outcomes: Exception | Sequence[object]) -> None:
        self.left = list(outcomes)
        self.made = 0
        self.waits: list[float] = []
        self.provider_retries_off: list[bool] = []

    async def __call__(self, observe: Observer | None) -> ModelResponse:
        self.made += 1
        self.provider_retries_off.append(PROVIDER_RETRIES_OFF.get())
        outcome = self.left.pop(0) if self.left else ()
        if isinstance(outcome, Exception):
            raise outcome
        for event in outcome:
            assert observe is not None
            if isinstance(event, Exception):
                raise event
            observe(event)
        return ModelResponse([], Usage(requests=1, input_tokens=7, total_tokens=7))

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def retrying(
        self,
        policy: RetryPolicy | None,
        retries: int = 2,
        backoff: ModelRetryBackoffSettings | None = None,
        **request: str,
    ) -> Retrying:
        settings = ModelSettings(retry=ModelRetrySettings(retries, backoff, policy))
        asked = ModelRequest(None, "hi", settings, **request)  # type: ignore[arg-type]  # ids only
        return Retrying(ScriptedModel(), asked, sleep=self.sleep, spread=lambda: 1.0)


async def test_nothing_is_retried_unless_a_policy_is_set() -> None:
    for settings in (None, ModelRetrySettings(3), ModelRetrySettings(policy=NETWORK)):
        attempts = Attempts(GONE)
        asked = ModelRequest(None, "hi", ModelSettings(retry=settings))
        with pytest.raises(ProviderUnavailable):
            await with_retries(Retrying(ScriptedModel(), asked), attempts, None)
        assert attempts.made == 1


async def test_waits_grow_to_their_limit_and_failed_attempts_count_as_requests() -> None:
    attempts = Attempts(GONE, GONE, GONE)
    backoff = ModelRetryBackoffSettings(1.0, 3.0, 2.0, jitter=False)
    response = await with_retries(attempts.retrying(NETWORK, 3, backoff), attempts, None)
    assert attempts.waits == [1.0, 2.0, 3.0]
    assert response.usage.requests == 4
    entries = response.usage.request_usage_entries
    assert [each.total_tokens for each in entries] == [0, 0, 0, 7]


async def test_waits_are_spread_so_that_clients_do_not_come_back_all_at_once() -> None:
    attempts = Attempts(GONE)
    least = replace(attempts.retrying(NETWORK), spread=lambda: 0.0)
    await with_retries(least, attempts, None)
    assert attempts.waits == [0.125]


async def test_no_wait_at_all_does_not_sleep() -> None:
    attempts = Attempts(GONE)
    nothing = ModelRetryBackoffSettings(initial_delay=0)
    await with_retries(attempts.retrying(NETWORK, backoff=nothing), attempts, None)
    assert (attempts.made, attempts.waits) == (2, [])


async def test_a_budget_that_is_used_up_lets_the_last_error_out() -> None:
    attempts = Attempts(GONE, GONE, ProviderUnavailable("last"))
    with pytest.raises(ProviderUnavailable, match="last"):
        await with_retries(attempts.retrying(NETWORK), attempts, None)
    assert attempts.made == 3


@pytest.mark.parametrize(
    ("asked", "backoff", "wait"),
    [
        (5.0, None, 5.0),
        (86_400.0, None, 60.0),
        (86_400.0, ModelRetryBackoffSettings(max_delay=4.0), 4.0),
        (-5.0, None, 0.0),
        (None, ModelRetryBackoffSettings(jitter=False), 0.25),
    ],
)
async def test_what_the_provider_asks_for_is_waited_within_reason(
    asked: float | None,
    backoff: ModelRetryBackoffSettings | None,
    wait: float,
) -> None:
    attempts = Attempts(RateLimitError("slow", status=429, retry_after=asked))
    limited = attempts.retrying(retry_policies.http_status([429]), backoff=backoff)
    await with_retries(limited, attempts, None)
    assert attempts.waits == ([wait] if wait else [])


async def test_a_policys_own_wait_counts_before_any_other() -> None:
    def patient(_context: RetryPolicyContext) -> RetryDecision:
        return RetryDecision(retry=True, delay=100.0)

    attempts = Attempts(RateLimitError("slow", status=429, retry_after=5.0))
    await with_retries(attempts.retrying(patient), attempts, None)
    assert attempts.waits == [100.0]


async def test_what_a_reader_has_seen_is_not_said_again() -> None:
    seen: list[object] = []
    silent = {"type": "response.created"}
    attempts = Attempts([silent, GONE], [silent, {"type": "response.output_text.delta"}, GONE])
    retrying = replace(attempts.retrying(NETWORK, 5), stream=True)
    with pytest.raises(ProviderUnavailable):
        await with_retries(retrying, attempts, seen.append)
    assert attempts.made == 2
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("safety", "approve", "stream", "retried"),
    [
        ("safe", False, False, True),
        ("unsafe", False, False, False),
        ("unsafe", True, False, True),
        ("unsafe", True, True, False),
        ("conditional", True, False, False),
        (None, False, False, False),
    ],
)
async def test_a_conversation_that_the_provider_keeps_is_not_continued_twice(
    safety: str | None,
    approve: bool,  # noqa: FBT001 - a case
    stream: bool,  # noqa: FBT001 - a case
    retried: bool,  # noqa: FBT001 - a case
) -> None:
    advice = ModelRetryAdvice(suggested=True, replay_safety=safety)
    model = ScriptedModel([ModelStep.raise_error(GONE, retry_advice=advice)])

    def policy(context: RetryPolicyContext) -> RetryDecision:
        assert context.stateful_request
        return RetryDecision(retry=True, approve_unsafe_replay=approve)

    attempts = Attempts()

    async def attempt(observe: Observer | None) -> ModelResponse:
        if attempts.made == 0:
            attempts.made += 1
            return await model.respond(retrying.request)
        return await attempts(observe)

    retrying = replace(
        attempts.retrying(policy, previous_response_id="resp_1"),
        model=model,
        stream=stream,
    )
    if retried:
        await with_retries(retrying, attempt, None)
        assert attempts.made == 2
    else:
        with pytest.raises(ProviderUnavailable):
            await with_retries(retrying, attempt, None)


async def test_an_adapter_makes_no_retries_of_its_own_where_the_run_counts_them() -> None:
    limited = RateLimitError("slow", status=429)
    for policy, retries, off in (
        (NETWORK, 2, [True, True]),
        (retry_policies.http_status([429]), 2, [False, True]),
    ):
        attempts = Attempts(limited if policy is not NETWORK else GONE)
        await with_retries(attempts.retrying(policy, retries), attempts, None)
        assert attempts.provider_retries_off == off
    attempts = Attempts()
    await with_retries(attempts.retrying(None, 0), attempts, None)
    assert attempts.provider_retries_off == [True]
    assert not PROVIDER_RETRIES_OFF.get()


async def test_a_call_that_is_cancelled_is_not_made_again() -> None:
    attempts = Attempts(GONE)
    sleeping = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        sleeping.set()
        await asyncio.Event().wait()

    retrying = replace(attempts.retrying(NETWORK), sleep=sleep)
    task = asyncio.ensure_future(with_retries(retrying, attempts, None))
    await sleeping.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert attempts.made == 1


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_run_goes_on_after_a_retry_with_the_same_request(*, streamed: bool) -> None:
    limited = RateLimitError("slow", status=429, retry_after=0.0)
    model = ScriptedModel([limited, [assistant_message("ok")]])
    retry = ModelRetrySettings(1, policy=retry_policies.http_status([429]))
    config = RunConfig(model_settings=ModelSettings(retry=retry))
    agent = Agent(name="a", model=model)
    if streamed:
        result = Runner.run_streamed(agent, "hi", run_config=config)
        async for _ in result.stream_events():
            pass
        output, usage = result.final_output, result.context_wrapper.usage
    else:
        whole = await Runner.run(agent, "hi", run_config=config)
        output, usage = whole.final_output, whole.context_wrapper.usage
    assert output == "ok"
    assert usage.requests == 2
    first, second = model.calls
    assert first == second


LOCKED = BadRequestError("locked", status=400, code="conversation_locked")


async def test_a_locked_conversation_is_waited_for_whatever_the_policy() -> None:
    attempts = Attempts(LOCKED, GONE, LOCKED)
    retrying = attempts.retrying(NETWORK, backoff=ModelRetryBackoffSettings(jitter=False))
    response = await with_retries(retrying, attempts, None)
    assert attempts.waits == [1.0, 0.25, 2.0]
    assert response.usage.requests == 4


async def test_a_conversation_that_stays_locked_ends_the_call() -> None:
    attempts = Attempts(*[LOCKED] * 9)
    with pytest.raises(BadRequestError, match="locked"):
        await with_retries(attempts.retrying(None), attempts, None)
    assert attempts.waits == [1.0, 2.0, 4.0]


async def test_no_retries_at_all_means_none_for_a_locked_conversation() -> None:
    attempts = Attempts(LOCKED)
    with pytest.raises(BadRequestError, match="locked"):
        await with_retries(attempts.retrying(None, retries=0), attempts, None)
    assert attempts.made == 1


async def test_a_policy_is_told_what_the_request_continues_and_whether_an_answer_began() -> None:
    told: list[RetryPolicyContext] = []

    def policy(context: RetryPolicyContext) -> RetryDecision:
        told.append(context)
        return RetryDecision(retry=True, approve_unsafe_replay=True)

    advice = ModelRetryAdvice(replay_safety="unsafe", response_started=True)
    model = ScriptedModel(
        [ModelStep.raise_error(ConnectionError("cut"), retry_advice=advice), [HI]],
    )
    settings = ModelSettings(retry=ModelRetrySettings(1, policy=policy))
    agent = Agent(name="a", model=model, model_settings=settings)
    result = await Runner.run(agent, "go", previous_response_id="r0")
    assert result.final_output == "hi"
    (context,) = told
    assert (context.previous_response_id, context.conversation_id) == ("r0", None)
    assert context.response_started
    assert context.stateful_request
