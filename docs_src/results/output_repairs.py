from __future__ import annotations

from pydantic import BaseModel

from handfast import Agent, InvalidFinalOutputError, RunConfig, Runner
from handfast.testing import ScriptedModel, assistant_message


class Refund(BaseModel):
    order: int
    euros: int


def manager() -> tuple[Agent, ScriptedModel]:
    model = ScriptedModel(
        [
            [assistant_message("I refund 30 EUR for order 7.")],
            [assistant_message('{"order": 7, "euros": 30}')],
        ],
    )
    return Agent(name="Manager", output_type=Refund, model=model), model


def main() -> None:
    agent, _ = manager()
    try:
        Runner.run_sync(agent, "Refund order 7.")
    except InvalidFinalOutputError as error:
        print(str(error).splitlines()[0])

    agent, model = manager()
    result = Runner.run_sync(agent, "Refund order 7.", run_config=RunConfig(output_repairs=1))
    print(f"{result.final_output!r} after {len(model.calls)} calls")


if __name__ == "__main__":
    main()
