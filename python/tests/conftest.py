"""A server of its own for the tests that need one."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def server():
    """Host and port of a server without a disk; PARLOR_BINARY says which."""
    binary = os.environ.get("PARLOR_BINARY", str(ROOT / "target/debug/parlor"))
    dialects = ["sushi-go", "sushi-go-sdk", "gamba", "tiger-dragon", "subsim"]
    dialects += ["labyrinth", "labyrinth-course"]
    command = [binary, "serve", "--ephemeral", "--port", "http=0"]
    for name in dialects:
        command += ["--port", f"{name}=off"]
    env = {key: value for key, value in os.environ.items() if not key.startswith("PARLOR_")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        try:
            word, ports = process.stdout.readline().split(" ", 1)
            assert word == "ready"
            host, port = json.loads(ports)["http"].rsplit(":", 1)
            yield host, int(port)
        finally:
            process.terminate()
