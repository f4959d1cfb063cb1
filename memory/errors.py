"""Errors a caller of memory can tell apart.

TidemarkDatabaseError
├── NotADatabase         the file is something else
├── SchemaTooNew         a newer Tidemark wrote it
├── DatabaseUnwritable   folder or file cannot be written
├── DatabaseBusy         another process holds the write lock for too long
├── DiskFull             nothing more can be written
└── CopyRefused          a copy was asked for that cannot be made, or not there
EmbedderUnavailable      the embedding model is missing or broken: keywords serve
"""


class TidemarkDatabaseError(Exception):
    """The database cannot be used; the message is a sentence for the owner."""


class NotADatabase(TidemarkDatabaseError):
    """The file exists and is no SQLite database of ours."""


class SchemaTooNew(TidemarkDatabaseError):
    """The file was written by a newer version."""


class DatabaseUnwritable(TidemarkDatabaseError):
    """The folder or the file refuses to be written."""


class DatabaseBusy(TidemarkDatabaseError):
    """Another process holds the write lock."""


class DiskFull(TidemarkDatabaseError):
    """The disk is full; nothing was half-written."""


class CopyRefused(TidemarkDatabaseError):
    """There is nothing to copy, or the place for the copy will not do."""


class EmbedderUnavailable(Exception):
    """The embedding model cannot be loaded or used; the message says why and what to do."""
