"""What bench/public_projects.py and bench/public_functions.py share: the order of the repositories, their checkouts, and a
server that runs one of them."""

import hashlib
import json
import re
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

READY = "Dugout is ready."
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def in_order(listing):
    """The names of the listing in the order of their SHA-256."""
    return sorted(set(Path(listing).read_text().split()), key=lambda name: hashlib.sha256(name.encode()).hexdigest())


def mirror(mirrors, name):
    """The git directory of a repository."""
    return mirrors / name.replace("/", "+", 1) / "repo"


def git(repository, *arguments):
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def commit(repository):
    return git(repository, "rev-parse", "--short=10", "HEAD").strip()


def check_out(repository, project):
    """Writes supabase/ of the newest commit into a new folder."""
    project.mkdir()
    archive = subprocess.Popen(["git", "-C", repository, "archive", "HEAD", "supabase"], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", project], stdin=archive.stdout, check=True)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def started(binary, project, data, options, environment, log, patience_s):
    """Runs `dugout start --dev` in a project: the printed text, and the cause if it does not become ready."""
    ports = ["--port", "0", "--db-port", str(free_port())]
    command = [binary, "start", "--dev", *ports, "--data-dir", str(data), *options]
    with open(log, "wb") as output:
        server = subprocess.Popen(command, cwd=project, stdout=output, stderr=subprocess.STDOUT, env=environment)
        try:
            until = time.monotonic() + patience_s
            while time.monotonic() < until and server.poll() is None and READY.encode() not in Path(log).read_bytes():
                time.sleep(0.1)
            text = ANSI.sub("", Path(log).read_text(errors="replace"))
            cause = ""
            if server.poll() is not None or READY not in text:
                lines = [line for line in text.splitlines() if line.startswith("error")] or text.splitlines()[-1:]
                cause = " ".join(lines) or "it prints nothing"
            yield text, cause
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()


def state_of(binary, project, data, environment):
    """The addresses and keys of a running server."""
    status = [binary, "status", "-o", "json", "--data-dir", str(data)]
    return json.loads(subprocess.run(status, cwd=project, capture_output=True, env=environment).stdout)
