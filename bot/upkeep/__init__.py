"""The steps of a maintenance pass on the bot's side: what runs on which thread, and what a model is asked."""
