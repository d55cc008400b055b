"""The team: agents over the same probes as the workflow.

- A *coordinator* hands over to *specialists*, each with its own probes as tools, and at last to the
  *reporter*, who writes prose.
- Agents choose what to look at and in which order. They have no tool with a target of its own,
  cannot make a finding and cannot change one: the rules judge what the probes saw.
- What a target sent reaches them as data: cut to a *window*, everything invisible made visible, the
  brackets that chat formats are made of exchanged.
"""
