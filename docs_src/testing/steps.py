from __future__ import annotations

from handfast import Agent, RateLimitError, Runner, Usage
from handfast.testing import ModelCall, ModelStep, ScriptedModel, assistant_message


def by_what_it_was_shown(call: ModelCall) -> list[dict[str, object]]:
    return [assistant_message(f"You gave me {len(call.input)} items.")]


def main() -> None:
    model = ScriptedModel(
        [
            ModelStep([assistant_message("Hello!")], usage=Usage(requests=1, total_tokens=12)),
            ModelStep.respond(by_what_it_was_shown),
            RateLimitError("Too many requests", status=429),
        ],
    )
    guide = Agent(name="Guide", model=model)
    first = Runner.run_sync(guide, "Hi.")
    print(first.final_output, first.context_wrapper.usage.total_tokens)
    more = {"role": "user", "content": "How many?"}
    print(Runner.run_sync(guide, [*first.to_input_list(), more]).final_output)
    try:
        Runner.run_sync(guide, "And now?")
    except RateLimitError as error:
        print(error)


if __name__ == "__main__":
    main()
