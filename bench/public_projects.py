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
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

START_PATIENCE_S = 120
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def git(repository, *arguments):
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def eligible(repository):
    """The migrations of the newest commit; none where the project does not count."""
    files = git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    if "supabase/config.toml" not in files:
        return []
    return [name for name in files if re.fullmatch(r"supabase/migrations/[0-9]+_[^/]*\.sql", name)]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


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
    """Starts the project; returns the migrations applied and the cause of a failure, empty if there is none."""
    command = [binary, "start", "--dev", "--port", "0", "--db-port", str(free_port()), "--data-dir", str(data), *options]
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    with open(log, "wb") as output:
        server = subprocess.Popen(command, cwd=project, stdout=output, stderr=subprocess.STDOUT, env=environment)
        try:
            until = time.monotonic() + START_PATIENCE_S
            while time.monotonic() < until and server.poll() is None and b"Dugout is ready." not in Path(log).read_bytes():
                time.sleep(0.1)
            text = ANSI.sub("", Path(log).read_text(errors="replace"))
            if server.poll() is not None or "Dugout is ready." not in text:
                lines = [line for line in text.splitlines() if line.startswith("error")] or text.splitlines()[-1:]
                return text.count("migration applied"), " ".join(lines)[:400]
            status = [binary, "status", "-o", "json", "--data-dir", str(data)]
            state = json.loads(subprocess.run(status, cwd=project, capture_output=True, env=environment).stdout)
            return text.count("migration applied"), check(state)
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()


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
    names = sorted(set(Path(given.listing).read_text().split()), key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    print("| project | commit | migrations | cause |\n|---|---|---|---|")
    started = tried = 0
    for name in names:
        repository = given.mirrors / name.replace("/", "+", 1) / "repo"
        migrations = eligible(repository) if repository.is_dir() else []
        if not migrations or (given.only and name != given.only):
            continue
        tried += 1
        with tempfile.TemporaryDirectory(prefix="dugout-project-") as folder:
            os.chmod(folder, 0o755)
            project = Path(folder) / "project"
            project.mkdir()
            archive = subprocess.Popen(["git", "-C", repository, "archive", "HEAD", "supabase"], stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", project], stdin=archive.stdout, check=True)
            log = given.logs / f"{name.replace('/', '+')}.log"
            applied, cause = run(binary, project, Path(folder) / "data", given.options, log)
            shutil.rmtree(Path(folder) / "data", ignore_errors=True)
        started += not cause
        commit = git(repository, "rev-parse", "--short=10", "HEAD").strip()
        words = cause.replace("|", "\\|").replace(folder + "/project/", "").replace("\n", " ")
        print(f"| {name} | {commit} | {applied} of {len(migrations)} | {words or 'starts'} |", flush=True)
        if tried == given.count:
            break
    print(f"\n{started} of {tried} start.")
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main())
