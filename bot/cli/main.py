"""The command line: ``tidemark run | doctor | status | memories | maintain | reembed | backup | health``."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from config.errors import SettingsError
from config.schema import Settings
from config.settings import export_provider_keys, load_settings
from memory.errors import TidemarkDatabaseError

USAGE_ERROR = 2
PROBLEM = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; give the exit status: 0 done, 1 a problem, 2 wrong settings or arguments."""
    options = _parser().parse_args(argv)
    try:
        settings = load_settings()
        export_provider_keys()
    except SettingsError as error:
        print(f"tidemark: {error}", file=sys.stderr)
        return USAGE_ERROR
    command: Callable[[Settings, argparse.Namespace], int] = options.command
    try:
        return command(settings, options)
    except TidemarkDatabaseError as error:
        print(f"tidemark: {error}", file=sys.stderr)
        return PROBLEM
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tidemark", description="An assistant that remembers what matters.")
    parser.add_argument("--version", action="version", version=f"tidemark {version('tidemark')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command, text in (
        ("run", _run, "talk: on Telegram when a token is set, else in the terminal"),
        ("doctor", _doctor, "check the set-up and say what to do"),
        ("status", _status, "show how things stand"),
        ("health", _health, "exit 0 while Telegram is being polled (for containers)"),
    ):
        commands.add_parser(name, help=text, description=text).set_defaults(command=command)
    reembed = commands.add_parser(
        "reembed", help="embed all memories anew now, after a change of embedding.model or before it"
    )
    reembed.add_argument("--model", metavar="NAME", help="the embedding model (default: the one in the settings)")
    reembed.set_defaults(command=_reembed)
    memories = commands.add_parser("memories", help="look into what is remembered").add_subparsers(
        required=True, metavar="COMMAND"
    )
    explain = memories.add_parser("explain", help="show what recall makes of a question, part by part")
    explain.add_argument("question")
    explain.add_argument("--chat", type=int, metavar="ID", help="the chat it is asked in (default: the owner's)")
    explain.set_defaults(command=_explain)
    maintain = commands.add_parser("maintain", help="make a pass of maintenance now, or show what it would do")
    maintain.add_argument("--dry-run", action="store_true", help="only show what a pass would do; nothing is changed")
    maintain.add_argument(
        "--vacuum",
        action="store_true",
        help="rewrite the file afterwards, so that forgotten words are in no byte of it",
    )
    maintain.set_defaults(command=_maintain)
    backup = commands.add_parser("backup", help="copy the database safely while it is in use")
    backup.add_argument("file", type=Path, help="where the copy goes")
    backup.add_argument("--force", action="store_true", help="replace the file if it exists")
    backup.set_defaults(command=_backup)
    return parser


# Each command imports what it needs: `health` runs every minute on a small machine.


def _run(settings: Settings, _options: argparse.Namespace) -> int:
    from bot.cli.run import run  # noqa: PLC0415

    return run(settings)


def _doctor(settings: Settings, _options: argparse.Namespace) -> int:
    from bot.cli.doctor import doctor  # noqa: PLC0415

    return doctor(settings)


def _status(settings: Settings, _options: argparse.Namespace) -> int:
    from bot.cli.status import status  # noqa: PLC0415

    return status(settings)


def _health(settings: Settings, _options: argparse.Namespace) -> int:
    from bot.cli.status import health  # noqa: PLC0415

    return health(settings)


def _explain(settings: Settings, options: argparse.Namespace) -> int:
    from bot.cli.memories import explain  # noqa: PLC0415

    return explain(settings, options.question, options.chat)


def _reembed(settings: Settings, options: argparse.Namespace) -> int:
    from bot.cli.reembed import reembed  # noqa: PLC0415

    return reembed(settings, options.model)


def _maintain(settings: Settings, options: argparse.Namespace) -> int:
    from bot.cli.maintain import maintain  # noqa: PLC0415

    return maintain(settings, dry_run=options.dry_run, vacuum=options.vacuum)


def _backup(settings: Settings, options: argparse.Namespace) -> int:
    from bot.cli.backup import backup  # noqa: PLC0415
    from bot.wiring import database_path  # noqa: PLC0415

    return backup(database_path(settings), options.file, force=options.force)


if __name__ == "__main__":
    sys.exit(main())
