"""Servers of their own for the tests that need one."""

import contextlib
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PARLOR_BINARY", str(ROOT / "target/debug/parlor"))
ENV = {key: value for key, value in os.environ.items() if not key.startswith("PARLOR_")}


def parlor(*arguments):
    """A command of the program; what it printed."""
    return subprocess.run(
        [BINARY, *map(str, arguments)], capture_output=True, text=True, env=ENV, timeout=300
    )


@contextlib.contextmanager
def serving(*arguments):
    """Host and port of a server; PARLOR_BINARY says which."""
    dialects = ["sushi-go", "sushi-go-sdk", "gamba", "tiger-dragon", "subsim"]
    dialects += ["labyrinth", "labyrinth-course"]
    command = [BINARY, "serve", *map(str, arguments), "--port", "http=0"]
    for name in dialects:
        command += ["--port", f"{name}=off"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENV) as process:
        try:
            word, ports = process.stdout.readline().split(" ", 1)
            assert word == "ready"
            host, port = json.loads(ports)["http"].rsplit(":", 1)
            yield host, int(port)
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def server():
    """A server without a disk."""
    with serving("--ephemeral") as address:
        yield address


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """What was exported of some games of Gamba: turns.jsonl in a folder."""
    from parlor_games import run

    folder = tmp_path_factory.mktemp("turns")
    with serving("--data", folder / "data") as address:
        run(lambda view, legal: legal[0], "gamba", *address, "first", bots=["thrifty"], games=40)
    exported = parlor("export", "gamba", "--data", folder / "data", "--turns")
    assert exported.returncode == 0, exported.stderr
    (folder / "turns.jsonl").write_text(exported.stdout)
    return folder
