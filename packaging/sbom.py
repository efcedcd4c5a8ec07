#!/usr/bin/env python3
"""Prints what the program is made of as CycloneDX 1.5 JSON, from the lock file's packages.

usage: packaging/sbom.py VERSION > sbom.cdx.json
"""

import datetime
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys

NOTICES = pathlib.Path(__file__).parent.parent / "notices"


def main(version):
    others = load_notices().linked()
    made = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    root = f"pkg:cargo/parlor@{version}"
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(made, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": root, "name": "parlor", "version": version, "purl": root},
        },
        "components": [component(package) for package in others],
        "dependencies": [{"ref": root, "dependsOn": [ref(package) for package in others]}],
    }
    json.dump(bom, sys.stdout, indent=1)
    print()


def ref(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package):
    found = {
        "type": "library",
        "bom-ref": ref(package),
        "name": package["name"],
        "version": package["version"],
        "purl": ref(package),
    }
    if package["license"]:
        # Older packages write a slash for a choice.
        found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package["checksum"]:
        found["hashes"] = [{"alg": "SHA-256", "content": package["checksum"]}]
    return found


def load_notices():
    loader = importlib.machinery.SourceFileLoader("notices", str(NOTICES))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("notices", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(*sys.argv[1:])
