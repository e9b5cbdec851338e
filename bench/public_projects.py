#!/usr/bin/env python3
"""Starts public Supabase projects with `dugout start --dev` and counts how many come up.

The rule cannot be tuned: of a listing of repositories with supabase/config.toml those are taken whose SHA-256 of
"owner/name" comes first. Skipped is only what cannot be fetched, what has lost its config.toml, and what has no migration to
apply. A failure stays in the denominator. A project counts when it starts with all migrations and seeds, `/rest/v1/` answers
200 and a sign-up is answered as the project's settings say.

    bench/public_projects.py --listing names.txt --mirrors DIR [--count 40] [--binary target/debug/dugout] [--only NAME]

names.txt holds one owner/name a line; DIR/<owner>+<name>/repo is a git directory. Prints a Markdown table.
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

START_PATIENCE_S = 120


def eligible(repository):
    """The migrations of the newest commit; none where the project does not count."""
    files = git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    if "supabase/config.toml" not in files:
        return []
    return [name for name in files if re.fullmatch(r"supabase/migrations/[0-9]+_[^/]*\.sql", name)]


def ask(url, key, body=None):
    headers = {"apikey": key, "authorization": f"Bearer {key}", "content-type": "application/json"}
    request = urllib.request.Request(url, headers=headers, data=None if body is None else json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def signs_up(url, key):
    """Whether a sign-up is answered as the project wants it, and what was answered."""
    status, text = ask(f"{url}/auth/v1/signup", key, {"email": "first@example.com", "password": "Correct-horse-7-battery"})
    closed = status in (400, 422) and ("signup_disabled" in text or "email_provider_disabled" in text)
    return status == 200 or closed, f"sign-up answered {status}: {text[:200]}"


def check(state):
    status, text = ask(f"{state['API_URL']}/rest/v1/", state["ANON_KEY"])
    if status != 200:
        return f"/rest/v1/ answered {status}: {text[:200]}"
    fine, words = signs_up(state["API_URL"], state["ANON_KEY"])
    return "" if fine else words


def run(binary, project, data, options, log):
    """Starts the project; returns the count of applied migrations and the cause of a failure, empty if it works."""
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    with started(binary, project, data, options, environment, log, START_PATIENCE_S) as (text, cause):
        applied = re.search(r"Applied +([0-9]+) migrations?", text)
        return int(applied[1]) if applied else None, cause[:400] or check(state_of(binary, project, data, environment))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--listing", required=True)
    parser.add_argument("--mirrors", required=True, type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--binary", default="target/debug/dugout")
    parser.add_argument("--only")
    parser.add_argument("--logs", type=Path, default=Path(tempfile.gettempdir()) / "public-projects")
    parser.add_argument("options", nargs="*", help="more options of `dugout start`")
    given = parser.parse_args()
    binary = str(Path(given.binary).resolve())
    given.logs.mkdir(parents=True, exist_ok=True)
    print("| project | commit | migrations | cause |\n|---|---|---|---|")
    working = tried = 0
    for name in in_order(given.listing):
        repository = mirror(given.mirrors, name)
        migrations = eligible(repository) if repository.is_dir() else []
        if not migrations or (given.only and name != given.only):
            continue
        tried += 1
        with tempfile.TemporaryDirectory(prefix="dugout-project-") as folder:
            os.chmod(folder, 0o755)
            project = Path(folder) / "project"
            check_out(repository, project)
            log = given.logs / f"{name.replace('/', '+')}.log"
            applied, cause = run(binary, project, Path(folder) / "data", given.options, log)
            shutil.rmtree(Path(folder) / "data", ignore_errors=True)
        if applied is None:
            # The cause names the file that failed; the ones before it were applied, and all of them before a seed.
            failed = (index for index, path in enumerate(migrations) if path in cause)
            applied = next(failed, len(migrations) if "seed" in cause else 0)
        working += not cause
        words = cause.replace("|", "\\|").replace(folder + "/project/", "").replace("\n", " ")
        print(f"| {name} | {commit(repository)} | {applied} of {len(migrations)} | {words or 'starts'} |", flush=True)
        if tried == given.count:
            break
    print(f"\n{working} of {tried} start.")
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main())
