"""Probes: each looks at one kind of thing and says what it saw, with the bytes that prove it.

The words:

- A *probe* is an async function of a target and a `ProbeContext`. It has an id, a class that says
  what consent it needs (passive, read, consent) and a deadline. The table of all of them is
  `catalog.PROBES`; `probe.run_probe` runs one and never raises for what a target did.
- A `ProbeResult` holds facts, evidence, and a gap for everything that could not be seen.
- Probes reach the network only through the context: a resolver, a guarded client, guarded
  connections. Each of them asks the boundary first; what it refuses becomes a gap.
- *Readers* (`cookies`, `pages`, `spf`, `security_txt`, `greetings`, ...) turn hostile bytes into
  values. They are pure, linear in their input, and never raise for what they read.

A target that hangs, floods or lies costs its deadline. A probe judges nothing: that is for rules.
"""
