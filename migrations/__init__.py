"""The history of the database's shape. Applied at start by `memory.migrating`; nothing else runs it.

A new revision: write the change into the tables, then

    .venv/bin/alembic -c migrations/alembic.ini revision --rev-id 0002 -m "add pinboard"

fill in `upgrade` and `downgrade` by hand, add "0002" to `memory.migrating.REVISIONS`, and add rows of the former
revision to tests/migrations/rows. The tests compare the result with the tables, column by column. One idea per revision;
a released one is never edited.
"""
