"""The skin: everything that talks to Telegram, to a model, to a person."""
