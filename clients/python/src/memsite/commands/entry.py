"""Read the command line, and run the command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from memsite.client import Memsite
from memsite.commands.relay import relay
from memsite.errors import MemsiteError
from memsite.results import ImportPreview


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0, 1 after an error, 2 for a wrong command line."""
    options = _parser().parse_args(arguments)
    if not options.url or not options.key:
        sys.stderr.write("memsite: set MEMSITE_URL and MEMSITE_KEY, or pass --url and --key\n")
        return 2
    try:
        if options.command == "mcp":
            relay(options.url, options.key, options.user, sys.stdin.buffer, sys.stdout.buffer)
            return 0
        return _import(options)
    except MemsiteError as error:
        sys.stderr.write(f"memsite: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="memsite", description="Use a Memsite from the command line.")
    parser.add_argument("--url", default=os.environ.get("MEMSITE_URL", ""), help="of the site (MEMSITE_URL)")
    parser.add_argument("--key", default=os.environ.get("MEMSITE_KEY", ""), help="msk_… (MEMSITE_KEY)")
    parser.add_argument(
        "--user", default=os.environ.get("MEMSITE_USER"), help="an application's end user (MEMSITE_USER)"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("mcp", help="connect a program that speaks MCP over stdio with the site")
    importing = commands.add_parser("import", help="import a file of Memsite or of another product")
    importing.add_argument("file", type=Path)
    importing.add_argument("--format", default="auto")
    importing.add_argument("--dry-run", action="store_true", help="say what would be kept, and keep nothing")
    importing.add_argument("--no-threads", action="store_true", help="keep memories only, no conversations")
    importing.add_argument("--learn", choices=("rules", "none"), default="rules")
    importing.add_argument("--no-wait", action="store_true", help="do not wait for the end of the import")
    return parser


def _import(options: argparse.Namespace) -> int:
    if not options.file.is_file():
        sys.stderr.write(f"memsite: there is no file {options.file}\n")
        return 2
    with Memsite(options.url, options.key, options.user) as memsite:
        threads = not options.no_threads
        if options.dry_run:
            found = memsite.imports.preview(options.file, format=options.format, threads=threads)
        else:
            found = memsite.imports.start(
                options.file, format=options.format, threads=threads, learn=options.learn
            )
        if isinstance(found, ImportPreview):
            _print(found, ("format", "threads", "messages", "memories", "pending", "present", "refused"))
            return 0
        sys.stdout.write(f"import: {found.import_id}\n")
        if options.no_wait:
            return 0
        ended = memsite.imports.wait(found.import_id)
        _print(
            ended,
            ("status", "threads", "messages", "created", "pending", "strengthened", "skipped", "refused"),
        )
        for warning in ended.warnings:
            sys.stderr.write(f"{warning.where}: {warning.why}\n")
        return 0 if ended.status == "done" else 1


def _print(result: object, names: Sequence[str]) -> None:
    for name in names:
        sys.stdout.write(f"{name}: {getattr(result, name)}\n")
