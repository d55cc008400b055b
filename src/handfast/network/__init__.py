"""The only network door of an application: name look-ups, connections and HTTP.

The words, from low to high:

- A *name server* is asked one question (`nameserver`); what it said is a plain `DnsAnswer`
  (`answer`), whether it said something, nothing, or nonsense.
- A *resolver* asks a list of name servers within one deadline (`resolver`). It finds addresses
  for the boundary, which decides; it decides nothing itself.
- A *connection* goes to the address that the boundary admitted, no other (`connect`), within four
  deadlines: connect, handshake, read, total.
- The *pace* holds a run to the requests a second and the concurrency its scope allows (`pace`).
- The *guarded client* speaks HTTP over such connections and has every redirect admitted (`http`).
- The *port scan* connects politely and listens; it sends nothing (`ports`).

Nothing here raises because of what a target sent: a target's fault is a value.
"""
