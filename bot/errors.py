"""Errors of the skin, each with its sentence to the person.

TidemarkError
└── ModelError               the model gave no answer
    ├── ModelUnreachable     network, time-out or 5xx after all tries
    ├── ModelKeyRefused      the key is missing or refused
    ├── ModelUnknown         no such model
    ├── ModelRateLimited     too many requests, or the account is empty
    ├── ModelPromptTooLong   the prompt does not fit
    ├── ModelEmptyReply      an answer without text
    ├── ModelFiltered        the provider refused to answer
    └── ModelRequestRefused  the provider did not accept the request's form
"""


class TidemarkError(Exception):
    """``sentence`` is what a person is told; the message is for the log."""

    sentence = "Something went wrong on my side. Your message is kept; please try again."


class ModelError(TidemarkError):
    """The model gave no answer."""

    sentence = "My language model gave no answer. Your message is kept; please send it again in a moment."


class ModelUnreachable(ModelError):
    """Network, time-out or 5xx after all tries."""

    sentence = "I could not reach my language model. Your message is kept; please send it again in a moment."


class ModelKeyRefused(ModelError):
    """The key is missing or refused."""

    sentence = (
        "My language model refused the key I have. My owner can set the right one "
        "(the provider's variable, for example OPENAI_API_KEY) and restart me; `tidemark doctor` tells more."
    )


class ModelUnknown(ModelError):
    """No such model."""

    sentence = (
        "My language model's name is not known to its provider. My owner can set TIDEMARK_MODEL to a model that exists."
    )


class ModelRateLimited(ModelError):
    """Too many requests, or the account is empty."""

    sentence = (
        "My language model's provider asks me to slow down, or the account is empty. Please try again in a few minutes."
    )


class ModelPromptTooLong(ModelError):
    """The prompt does not fit."""

    sentence = "That is more text than my language model can read at once. Please send a shorter message, or begin anew with /new."


class ModelEmptyReply(ModelError):
    """An answer without text."""

    sentence = "My language model came back with an empty answer. Please ask again, perhaps in other words."


class ModelFiltered(ModelError):
    """The provider refused to answer."""

    sentence = "My language model's provider declined to answer that."


class ModelRequestRefused(ModelError):
    """The provider did not accept the form of the request, for a reason that is none of the others."""

    sentence = (
        "My language model's provider did not accept my request. My owner finds the reason with `tidemark doctor`; "
        "often the model or the address of its server is not the right one."
    )
