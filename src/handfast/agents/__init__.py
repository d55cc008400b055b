"""What a user writes down: agents, tools, handoffs, guardrails, hooks, and what they are handed.

An *agent* is a model with instructions, *tools* and *handoffs*; a value, which the runner runs. A
*guardrail* is the user's check of what goes in or comes out. A *run item* is one entry of a
conversation as users read it; its *wire form* is the JSON object of the Responses API, which is
what travels between models and the runner.
"""
