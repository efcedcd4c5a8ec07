"""Servers for the tests, and what is asked of them over plain HTTP."""

import json
import os
import pathlib
import subprocess
import urllib.error
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GAMES = ["gamba", "labyrinth", "subsim", "sushi-go", "tiger-dragon"]
DIALECTS = ["gamba", "labyrinth", "labyrinth-course", "subsim", "sushi-go", "sushi-go-sdk"]
BINARY = os.environ.get("PARLOR_BINARY", str(ROOT / "target/debug/parlor"))


class Server:
    """A server of its own; it can be started again on the same data and the same port."""

    def __init__(self, *arguments, ports=()):
        self.arguments, self.ports = arguments, dict.fromkeys([*ports, "http"], 0)
        self.start()

    def start(self):
        command = [BINARY, "serve", *self.arguments]
        for name in [*DIALECTS, "tiger-dragon", "http"]:
            command += ["--port", f"{name}={self.ports.get(name, 'off')}"]
        env = {key: value for key, value in os.environ.items() if not key.startswith("PARLOR_")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        word, ports = self.process.stdout.readline().split(" ", 1)
        assert word == "ready"
        for name, address in json.loads(ports).items():
            self.ports[name] = int(address.rsplit(":", 1)[1])

    def stop(self, kill=False):
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(30)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.ports['http']}"

    @property
    def mcp(self):
        return f"{self.address}/mcp"

    def get(self, path):
        with urllib.request.urlopen(self.address + path) as answer:
            return answer.read().decode()

    def post(self, path, body, **headers):
        """Status and text of the answer, whatever it is."""
        headers = {"content-type": "application/json", **headers}
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


@pytest.fixture(scope="session")
def server():
    """A server without a disk that all share."""
    server = Server("--ephemeral", ports=["sushi-go"])
    yield server
    server.stop()


@pytest.fixture
def lasting_server(tmp_path):
    """A server with a data folder, to be stopped and started again."""
    server = Server("--data", str(tmp_path / "data"))
    yield server
    server.stop(kill=True)
