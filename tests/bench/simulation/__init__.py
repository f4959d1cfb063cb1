"""Months of use played to a real store: a diary of what is true, a model that is played, and what came of it."""
