"""Adapters: how a request reaches a language model and how its answer comes back.

Words: an *adapter* is a `Model` that speaks one protocol (`openai_chat`, `openai_responses`). A
*request* file turns the conversation into a body; a *response* file turns a whole body into a
`ModelResponse`; a *stream* file turns events into such a body, so that whole and streamed answers
take one path. The *origin* of an item is the provider and model that made it; what only its origin
understands (reasoning, signatures) goes back there and nowhere else. A *dialect* is what a server
of the chat protocol does differently; a *preset* is a known provider: address, key, dialect.
`endpoint` is the only file here that does input and output.
"""
