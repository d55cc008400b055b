"""The one door: what a run may touch is decided here, in code that no model can talk to.

Words:

- *scope*: what may be inspected, who authorised it, how fast (`scope`, `mandate`,
  `targets`, `toml_table`);
- *egress*: whether a connection may be opened and to which checked address (`egress`, `urls`,
  `hostnames`, `addresses`);
- *command*: an argument vector that is understood completely (`commands` and one file a program);
- *grant*: what a run or an agent holds of all this; a handoff can only narrow it (`grants`);
- *policy*: a pure rule about one call; the strictest verdict wins (`policy`, `authorize`);
- *audit*: what was decided and done, one hash-chained line each (`audit`, `redaction`).

Nothing in here knows an agent, a model or a tool, and nothing here is decided by one.
"""
