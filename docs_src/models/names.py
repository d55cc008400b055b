from __future__ import annotations

from handfast import MultiProvider, OpenAIChatCompletionsModel, UserError

# What `Agent(model="deepseek:deepseek-chat")` finds; keys come from the environment.
provider = MultiProvider(environment={"DEEPSEEK_API_KEY": "sk-..."})


def main() -> None:
    for name in ("deepseek:deepseek-chat", "ollama:qwen2.5:1.5b"):
        model = provider.get_model(name)
        assert isinstance(model, OpenAIChatCompletionsModel)
        print(f"{name} -> {model.model} at {model.endpoint.base_url}")
    for name in ("kimi:kimi-k2", "deepsek:deepseek-chat"):
        try:
            provider.get_model(name)
        except UserError as error:
            print(error)


if __name__ == "__main__":
    main()
