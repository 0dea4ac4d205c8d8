# SPDX-License-Identifier: Apache-2.0
"""Checks experiments against the schema, as an editor does.

    schema.py SCHEMA BAD_INPUT_DIR GOOD...

Every GOOD file is valid; the files of BAD_INPUT_DIR named below, whose mistakes a schema can see,
are not; nor is a good experiment with one of the slips below.
"""
import copy
import json
import re
import sys

import jsonschema
import yaml

MISTAKES = """cpu_is_a_list cv_zero exponent mixture_weight missing_unit nan negative no_model no_stack
no_version not_a_bool not_a_mapping out_of_range repeats_zero seed_negative sweep_missing_parameter
sweep_of_a_scalar sweep_without_a_dot two_distributions unit_on_count unknown_cpu_parameter
unknown_distribution unknown_key unknown_model unknown_op unknown_parameter unknown_policy wrong_unit
zero_depth measure_no_requests sequence_empty until_no_unit until_no_within
until_key at_most_bare at_most_alone""".split()

EXPERIMENT = """
ringtail: 1
run: {measure: 1000 requests, until: {metric: p99.9, within: 5%}, at_most: 64 repeats}
cpus: {app: }
stack:
  load: {model: closed_load, depth: 4, cpu: app, over: {load: disk}}
  disk: {model: device, service: {sequence: {file: a.csv, column: b}, plus: 1us}}
variants: {one: {disk.servers: 2}, two: }
sweep: {load.depth: {from: 1, to: 4, step: 1}, zip: {disk.service: [1us, {exponential: 2us}]}}
"""

# Where, and what to write there.
SLIPS = [
    (["run", "measure"], "0 requests"),
    (["run", "measure"], 1000),
    (["run", "warmup"], "10"),
    (["run", "until", "within"], 5),
    (["run", "at_most"], "0 repeats"),
    (["stack", "disk", "model"], "disk"),
    (["stack", "disk", "servres"], 2),
    (["stack", "disk", "servers"], 0),
    (["stack", "disk", "servers"], "2us"),
    (["stack", "disk", "service"], {"sequence": []}),
    (["stack", "disk", "service"], {"plus": "1us"}),
    (["stack", "disk", "service"], {"uniform": ["1us"]}),
    (["stack", "disk", "rate"], "1us"),
    (["stack", "disk", "in_order"], "maybe"),
    (["stack", "2nd"], {"model": "device"}),
    (["cpus", "app"], {"threads": 0}),
    (["variants", "one"], {"disk.servres": 2}),
    (["variants", "one"], {"servers": 2}),
    (["variants", "one"], {"load.depth": "4us"}),
    (["sweep", "load.depth"], {"from": 1, "to": 4}),
    (["sweep", "load.depth"], []),
    (["sweep", "zip", "disk.service"], ["1"]),
    (["measured"], [{"columns": {}}]),
    (["extend"], "a.yaml"),
]


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors read it: `on` is a text."""


Loader.yaml_implicit_resolvers = {}
for tag, form, first in [
    ("bool", r"true|false", "tf"),
    ("null", r"null|~|", ["n", "~", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("merge", r"<<", "<"),
]:
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(f"^(?:{form})$"), first)
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failed = 0
    for path in sys.argv[3:]:
        for error in validator.iter_errors(load(path)):
            print(f"{path}: {'.'.join(map(str, error.path))}: {error.message[:200]}")
            failed += 1
    for name in MISTAKES:
        if validator.is_valid(load(f"{sys.argv[2]}/{name}.yaml")):
            print(f"bad_input/{name}.yaml passes the schema")
            failed += 1
    good = yaml.load(EXPERIMENT, Loader)
    for error in validator.iter_errors(good):
        print(f"the experiment in schema.py: {error.message[:200]}")
        failed += 1
    for place, value in SLIPS:
        slip = copy.deepcopy(good)
        at = slip
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = value
        if validator.is_valid(slip):
            print(f"{'.'.join(place)}: {value} passes the schema")
            failed += 1
    print(f"{len(sys.argv) - 3} files, {len(MISTAKES) + len(SLIPS)} mistakes, {failed} failed")
    return failed > 0


sys.exit(main())
