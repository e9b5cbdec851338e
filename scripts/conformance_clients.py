#!/usr/bin/env python3
"""conformance_clients.py WORK SUITE: the results of a client suite, one line for each test that talked to the server, sorted.

WORK is the folder of ../shared/conformance/clients. A test is vacuous when it passes without any server, too.
"""
import json
import os
import sys

work, suite = sys.argv[1:]
with open(f"{work}/manifest/{suite}.json", encoding="utf-8") as file:
    manifest = json.load(file)["tests"]
with open(f"{work}/results/{suite}.run.raw", encoding="utf-8") as file:
    run = json.load(file)

lines = []
for file in run["testResults"]:
    path = file["name"].split("/packages/core/", 1)[-1].split("/", 1)[-1]
    for test in file["assertionResults"]:
        names = [*test["ancestorTitles"], test["title"]]
        known = manifest.get(" › ".join([path, *names]), {})
        if known.get("talks"):
            vacuous = known["passesDead"] and test["status"] == "passed"
            result = "vacuous" if vacuous else test["status"]
            lines.append(json.dumps({"file": os.path.normpath(path), "id": " › ".join(names), "result": result}, ensure_ascii=False))
print("\n".join(sorted(lines)))
