from __future__ import annotations

from handfast import (
    Agent,
    ModelRetryBackoffSettings,
    ModelRetrySettings,
    ModelSettings,
    ProviderUnavailable,
    RateLimitError,
    Runner,
    retry_policies,
)
from handfast.testing import ScriptedModel, assistant_message

busy = retry_policies.any(
    retry_policies.http_status([429, 503]),
    retry_policies.network_error(),
)
agent = Agent(
    name="Guide",
    model_settings=ModelSettings(
        retry=ModelRetrySettings(
            max_retries=3,
            backoff=ModelRetryBackoffSettings(initial_delay=0.01, jitter=False),
            policy=busy,
        ),
    ),
    model=ScriptedModel(
        [
            RateLimitError("Too many requests", status=429),
            ProviderUnavailable("Overloaded", status=503),
            [assistant_message("Here I am.")],
        ],
    ),
)


def main() -> None:
    result = Runner.run_sync(agent, "Are you there?")
    print(result.final_output, result.context_wrapper.usage.requests, "requests")


if __name__ == "__main__":
    main()
