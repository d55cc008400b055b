"""The laboratory: a small hostile internet on loopback, with its answer key.

The words, from low to high:

- A *site* is a named host with an address of its own, its services, and the findings that an
  inspection of it must yield (`site`); the *address book* knows where each stands (`address_book`).
- A *service* is one listening port. What happens on it is a *conversation*: a coroutine over one
  *visitor*'s connection (`conversation`). HTTP is a conversation that asks a *responder* for an
  answer (`http_message`, `http_conversation`); greetings and hazards are others.
- A *plan* says which sites exist and how each behaves (`plan*`), before any port is known.
- *Zones* are what the name servers know (`dns_zones`); what they say is decided by `dns_answers`
  without touching the network.
- The *authority* issues every certificate, the broken ones too (`certificates`, `tls`).
- The `Laboratory` binds everything, serves it, and takes it down without a trace (`laboratory`).

Everything listens on 127.0.0.0/8 only. One site, `outside.example`, is never in scope: whoever
talks to it has left the scope, and the laboratory remembers it as a *trespass*.
"""
