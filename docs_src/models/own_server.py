from __future__ import annotations

from handfast import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIProvider, RunConfig

# One agent on a server of your own:
local = Agent(
    name="Local",
    model=OpenAIChatCompletionsModel("qwen2.5:7b", base_url="http://localhost:11434/v1"),
    model_settings=ModelSettings(temperature=0.2, max_tokens=1_000, timeout=60),
)

# Or every agent of a run that names its model by name:
config = RunConfig(
    model="qwen2.5:7b",
    model_provider=OpenAIProvider(base_url="http://localhost:11434/v1"),
)

if __name__ == "__main__":
    print(local.model)
