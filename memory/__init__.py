"""The judgement: what to remember, what to recall, what to let go.

Synchronous and self-contained: nothing in here knows Telegram, a language model, an event loop or the environment.
Time comes in as ``now`` (aware, UTC). Text that needs a model is asked for by the caller: ``brief`` says what to ask,
``parse`` reads the answer, ``validate`` judges it, ``apply`` writes it.
"""
