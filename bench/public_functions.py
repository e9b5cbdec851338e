#!/usr/bin/env python3
"""Starts the Edge Functions of public Supabase projects with `dugout start --dev` and counts how many come up.

The rule cannot be tuned: of a listing of repositories with supabase/config.toml those are taken whose SHA-256 of
"owner/name" comes first. Skipped is only what cannot be fetched, and what has no function in its newest commit. A failure
stays in the denominator. Migrations are left out: bench/public_projects.py counts those.

A function starts when a request is answered by itself, not by the server in its place. The request is OPTIONS, which needs no
token and does nothing. Every project is run twice with an empty cache of modules: without any network, and with npm's registry.

    bench/public_functions.py --listing names.txt --mirrors DIR [--count 10] [--binary target/debug/dugout] [--only NAME]

names.txt holds one owner/name a line; DIR/<owner>+<name>/repo is a git directory. Prints Markdown tables.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from public_repositories import check_out, commit, git, in_order, mirror, started, state_of

START_PATIENCE_S = 60
# The first start may download modules for two minutes.
CALL_PATIENCE_S = 150
# An address where nothing listens.
NO_REGISTRY = "http://127.0.0.1:9/"
ENTRY = re.compile(r"supabase/functions/([A-Za-z][A-Za-z0-9_-]*)/index\.(?:ts|js|mjs|tsx|jsx)")


def functions_of(repository):
    """The functions of the newest commit."""
    files = git(repository, "ls-tree", "-r", "--name-only", "HEAD", "supabase/").splitlines()
    if "supabase/config.toml" not in files:
        return []
    return sorted({found[1] for name in files if (found := ENTRY.fullmatch(name))})


def answer(url):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="OPTIONS"), timeout=CALL_PATIENCE_S) as response:
            return response.status, response.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")
    except OSError as error:
        return 0, str(error)


def cause_of(status, text, log):
    """Why a function did not answer; empty if it did."""
    try:
        code = json.loads(text).get("code")
    except (ValueError, AttributeError):
        code = None
    if status != 0 and code not in ("BOOT_ERROR", "WORKER_ERROR", "WORKER_LIMIT", "NOT_FOUND", "IDLE_TIMEOUT"):
        return ""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    said = [line.split(" ", 1)[-1] for line in lines]
    return next((line for line in said if "error" in line.lower()), (said or [text])[-1]) or f"answered {status}"


def run(given, project, data, functions, registry, log):
    """Starts the project, and calls its functions; returns the cause of each failure by function, or one sentence for all."""
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "DUGOUT_DENO")}
    # Few at a time: every one of them is called once.
    environment |= {"DUGOUT_FUNCTIONS_PROCESSES": "4", **registry}
    with started(given.binary, project, data, given.options, environment, log, START_PATIENCE_S) as (_, cause):
        if cause:
            return dict.fromkeys(functions, "the server does not start: " + cause)
        state = state_of(given.binary, project, data, environment)
        causes = {}
        for name in functions:
            answered = answer(f"{state['API_URL']}/functions/v1/{name}")
            causes[name] = cause_of(*answered, data / "functions/logs" / f"{name}.log")
        return causes


def leave_out_migrations(project):
    for left_out in ("migrations", "seed.sql"):
        path = project / "supabase" / left_out
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def measure(given, name, repository, functions):
    """The causes without any network, and with npm's registry."""
    with tempfile.TemporaryDirectory(prefix="dugout-functions-public-") as folder:
        os.chmod(folder, 0o755)
        project = Path(folder) / "project"
        check_out(repository, project)
        leave_out_migrations(project)
        both = []
        for kind, registry in (("alone", {"NPM_CONFIG_REGISTRY": NO_REGISTRY}), ("npm", {})):
            log = given.logs / f"{name.replace('/', '+')}.{kind}.log"
            causes = run(given, project, Path(folder) / f"data-{kind}", functions, registry, log)
            both.append({function: words.replace(folder + "/project/", "") for function, words in causes.items()})
        return both


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--listing", required=True)
    parser.add_argument("--mirrors", required=True, type=Path)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--binary", default="target/debug/dugout")
    parser.add_argument("--only")
    parser.add_argument("--logs", type=Path, default=Path(tempfile.gettempdir()) / "public-functions")
    parser.add_argument("options", nargs="*", help="more options of `dugout start`")
    given = parser.parse_args()
    given.binary = str(Path(given.binary).resolve())
    given.logs.mkdir(parents=True, exist_ok=True)
    print("| project | commit | functions | start | of these without any network |\n|---|---|---|---|---|", flush=True)
    failures, whole, tried, total, answering = [], 0, 0, 0, 0
    for name in in_order(given.listing):
        repository = mirror(given.mirrors, name)
        functions = functions_of(repository) if repository.is_dir() else []
        if not functions or (given.only and name != given.only):
            continue
        alone, with_npm = measure(given, name, repository, functions)
        come_up = [function for function in functions if not with_npm[function]]
        at_once = [function for function in come_up if not alone[function]]
        failures += [(name, function, with_npm[function]) for function in functions if with_npm[function]]
        print(f"| {name} | {commit(repository)} | {len(functions)} | {len(come_up)} | {len(at_once)} |", flush=True)
        tried, total, answering = tried + 1, total + len(functions), answering + len(come_up)
        whole += len(come_up) == len(functions)
        if tried == given.count:
            break
    print(f"\nOf {whole} of {tried} projects all functions start: {answering} of {total} functions.")
    if failures:
        print("\n| function | cause |\n|---|---|")
    for name, function, cause in failures:
        words = cause.replace("|", "\\|").replace("\n", " ")[:300]
        print(f"| {name} {function} | {words} |")
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main())
