from __future__ import annotations

from handfast import UserError, function_tool


def send(to: str, text: str) -> str:
    """Send a message."""
    return f"{text} -> {to}"


def post(fields: dict[str, str]) -> str:
    """Post a form with any fields."""
    return str(fields)


def main() -> None:
    print(f"send goes out strict: {function_tool(send).strict_json_schema}")
    print(f"post goes out strict: {function_tool(post).strict_json_schema}")
    try:
        function_tool(post, strict_mode=True)
    except UserError as error:
        print(error)


if __name__ == "__main__":
    main()
