#!/usr/bin/env python3
"""Every shipped scenario satisfies the JSON Schema that `gridlock schema` prints.

Usage: schema_test.py PROGRAM SOURCE_FOLDER
"""
import glob
import json
import subprocess
import sys

import jsonschema
import yaml


def main(program, source):
    schema = json.loads(subprocess.check_output([program, "schema"]))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    files = sorted(glob.glob(f"{source}/scenarios/*.yaml") + glob.glob(f"{source}/scenarios/published/*.yaml") + glob.glob(f"{source}/scenarios/sweeps/*.yaml")
                   + glob.glob(f"{source}/scenarios/matmul/[cg]pu.yaml"))
    bad = 0
    for name in files:
        with open(name, encoding="utf-8") as text:
            for error in validator.iter_errors(yaml.safe_load(text)):
                bad += 1
                print(f"{name}: {'.'.join(map(str, error.path))}: {error.message}")
    wrong = {"scenario": "training_step", "clutser": {}}
    if validator.is_valid(wrong):
        bad += 1
        print("the schema accepts a misspelt key")
    with open(f"{source}/scenarios/matmul/gpu.yaml", encoding="utf-8") as text:
        matmul = yaml.safe_load(text)
    for name, change in {"a product without k": {"products": [{"m": 1, "n": 1}]}, "a model": {"model": "gpt3-175b"}, "a precision nobody has": {"precision": "fp7"}}.items():
        if validator.is_valid({**matmul, **change}):
            bad += 1
            print(f"the schema of matmul accepts {name}")
    print(f"{len(files)} scenarios, {bad} mistakes")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
