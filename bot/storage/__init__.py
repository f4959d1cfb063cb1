"""Durable queues and the directory of people and chats, in the same SQLite file as memory. Synchronous SQL only."""
