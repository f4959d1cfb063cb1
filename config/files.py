"""Reading the files that settings come from, so that whatever is wrong with one is said in one line."""

from pathlib import Path

from config.errors import SettingsError


def exists(path: Path) -> bool:
    """Say whether there is something to read; what one may not even look at is not there."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def read_text(path: Path, where: str | None = None, most_bytes: int = 1_048_576) -> str:
    """Give the text of a file, without a byte order mark; ``where`` stands before what is wrong with it.

    Raises:
        SettingsError: it cannot be read, is too large, or is no UTF-8.
    """
    before = f"{where}: the file {path}" if where else f"{path}:"
    try:
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its name holds a NUL"
        raise SettingsError(f"{before} cannot be read ({reason})") from error
    if len(content) > most_bytes:
        raise SettingsError(f"{before} is too large ({most_bytes:,} bytes at most)")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{before} is no UTF-8 text") from error
