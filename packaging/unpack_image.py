#!/usr/bin/env python3
"""Unpacks an image as an engine does, checks its digests, and prints its command, a word in each line.

usage: packaging/unpack_image.py LAYOUT ROOT
"""

import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile


def main(layout, root):
    def blob(entry):
        content = (pathlib.Path(layout) / "blobs" / entry["digest"].replace(":", "/")).read_bytes()
        assert len(content) == entry["size"], entry
        assert f"sha256:{hashlib.sha256(content).hexdigest()}" == entry["digest"], entry
        return content

    index = json.loads((pathlib.Path(layout) / "index.json").read_text())
    manifest = json.loads(blob(index["manifests"][0]))
    config = json.loads(blob(manifest["config"]))
    for layer, wanted in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
        content = gzip.decompress(blob(layer))
        assert f"sha256:{hashlib.sha256(content).hexdigest()}" == wanted
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            archive.extractall(root)
    print("\n".join(config["config"]["Entrypoint"] + config["config"]["Cmd"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
