#!/usr/bin/env python3
"""Runs those cases of PostgREST's specs whose requests only read: conformance_reads.py RUNNER CHECKOUT [ARGUMENTS OF THE RUNNER…]

The specs assume that every transaction is rolled back, and what is rolled back never takes the hot lane. What only reads can
be committed as well. Which cases those are is asked of the runner, in a file outside this repository.
"""

import json
import os
import re
import runpy
import sys
import tempfile

READING = {"GET", "HEAD"}
# Specs about how transactions end, which this run overrides.
OTHERWISE = {"RollbackSpec.hs"}


def run(runner, arguments):
    """The runner with these arguments, in this process: the names of the cases are too long for a command line."""
    sys.argv = [runner, *arguments]
    try:
        runpy.run_path(runner, run_name="__main__")
    except SystemExit as exit:
        return exit.code or 0
    return 0


def name(case):
    return " > ".join([case["file"], case["label"], *case["trail"], case["title"]])


def reads(case):
    return case["file"] not in OTHERWISE and all(step["method"] in READING for step in case["steps"] or [])


def main(runner, checkout, *arguments):
    sys.path.insert(0, os.path.dirname(os.path.abspath(runner)))
    with tempfile.TemporaryDirectory() as folder:
        vectors = os.path.join(folder, "vectors.jsonl")
        if status := run(runner, [checkout, "--list", "--dump-vectors", vectors]):
            return status
        with open(vectors, encoding="utf-8") as lines:
            cases = [json.loads(line) for line in lines]
    # A case has the same name under every configuration.
    others = {name(case) for case in cases if not reads(case)}
    names = {name(case) for case in cases if reads(case)} - others
    return run(runner, [checkout, *arguments, "--only", "^(?:" + "|".join(map(re.escape, sorted(names))) + ")$"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
