#!/usr/bin/env python3
"""Writes a folder as an image of one layer, in the layout that podman, docker and skopeo load.

usage: packaging/image.py ROOT ARCHIVE VERSION
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import sys
import tarfile

MADE = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
USER = 10001
PORTS = [7676, 7677, 7800, 7878, 7879, 8080, 9002, 9555]


def main(root, archive, version):
    layer = layer_of(pathlib.Path(root))
    packed = gzip.compress(layer, 9, mtime=0)
    created = datetime.datetime.fromtimestamp(MADE, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = {
        "created": created,
        "architecture": "amd64",
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {f"{port}/tcp": {} for port in PORTS},
            "Entrypoint": ["/usr/bin/parlor"],
            "Cmd": ["serve", "--bind", "0.0.0.0", "--data", "/data"],
            "Volumes": {"/data": {}},
            "WorkingDir": "/data",
            "StopSignal": "SIGTERM",
            "Labels": {"org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT"},
        },
        "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
    }
    blobs = {}

    def blob(kind, content):
        blobs[digest(content)] = content
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest(content), "size": len(content)}

    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob("config.v1+json", as_json(config)),
        "layers": [blob("layer.v1.tar+gzip", packed)],
    }
    named = blob("manifest.v1+json", as_json(manifest))
    named["annotations"] = {"org.opencontainers.image.ref.name": f"parlor:{version}"}
    index = {"schemaVersion": 2, "manifests": [named]}
    files = {"oci-layout": as_json({"imageLayoutVersion": "1.0.0"}), "index.json": as_json(index)}
    files |= {f"blobs/sha256/{name.removeprefix('sha256:')}": content for name, content in blobs.items()}
    with tarfile.open(archive, "w", format=tarfile.USTAR_FORMAT) as out:
        for name, content in sorted(files.items()):
            add(out, tarfile.TarInfo(name), content)


def layer_of(root):
    """The folder as a tar archive that is the same each time."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for path in sorted(root.rglob("*")):
            info = tarfile.TarInfo(str(path.relative_to(root)))
            info.mode = path.stat().st_mode & 0o777
            if info.name == "tmp":
                info.mode = 0o1777
            if info.name == "data":
                info.uid = info.gid = USER
                info.mode = 0o700
            if path.is_dir():
                info.type = tarfile.DIRTYPE
                add(out, info, b"")
            else:
                add(out, info, path.read_bytes())
    return written.getvalue()


def add(archive, info, content):
    info.mtime = MADE
    info.size = len(content)
    archive.addfile(info, io.BytesIO(content))


def as_json(value):
    return json.dumps(value, sort_keys=True).encode()


def digest(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


if __name__ == "__main__":
    main(*sys.argv[1:])
