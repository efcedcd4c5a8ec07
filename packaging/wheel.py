#!/usr/bin/env python3
"""Writes the wheel parlor-games with the program in it, so that pip puts `parlor` on the path.

usage: packaging/wheel.py --extension WHEEL --out FOLDER VERSION PROGRAM
       packaging/wheel.py --platform TAG --out FOLDER VERSION PROGRAM

With --extension the program is added to that wheel. With --platform the wheel has the program alone.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import time
import zipfile

EXECUTABLE = 0o100755 << 16
PLAIN = 0o100644 << 16


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--extension", type=pathlib.Path)
    parser.add_argument("--platform")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("version")
    parser.add_argument("program", type=pathlib.Path)
    args = parser.parse_args()
    name = f"parlor_games-{args.version}"
    if args.extension:
        with zipfile.ZipFile(args.extension) as wheel:
            files = {entry.filename: (wheel.read(entry), entry.external_attr) for entry in wheel.infolist()}
        target = args.out / args.extension.name
    else:
        tag = f"py3-none-{args.platform}"
        files = {
            f"{name}.dist-info/METADATA": (metadata(args.version), PLAIN),
            f"{name}.dist-info/WHEEL": (wheel_text(tag), PLAIN),
        }
        target = args.out / f"{name}-{tag}.whl"
    files[f"{name}.data/scripts/{args.program.name}"] = (args.program.read_bytes(), EXECUTABLE)
    record = f"{name}.dist-info/RECORD"
    files.pop(record, None)
    rows = [f"{path},sha256={hash_of(content)},{len(content)}" for path, (content, _) in sorted(files.items())]
    files[record] = ("\n".join([*rows, f"{record},,", ""]).encode(), PLAIN)
    write(target, files)
    print(target)


def metadata(version):
    return (
        f"Metadata-Version: 2.1\nName: parlor-games\nVersion: {version}\nLicense: MIT\nRequires-Python: >=3.8\n"
        "Summary: The server Parlor; the module parlor_games is in the wheel for Linux on x86-64\n"
    ).encode()


def wheel_text(tag):
    return f"Wheel-Version: 1.0\nGenerator: parlor\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()


def hash_of(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def write(target, files):
    # A zip file cannot hold a year before 1980.
    made = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, (content, mode) in sorted(files.items()):
            info = zipfile.ZipInfo(path, made)
            info.external_attr = mode or PLAIN
            info.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(info, content)


if __name__ == "__main__":
    main()
