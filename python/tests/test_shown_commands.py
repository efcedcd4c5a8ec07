"""Every command in a block of the documentation runs, or its block is marked as an illustration.

A block whose fence says ```sh illustration needs what a test does not have (another machine, an hour, a bot
in a debugger). All others run here, each in a folder with a server of its own, under `sh`."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest
from conftest import BINARY, ENV, ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "examples/README.md",
    *sorted((ROOT / "docs").glob("**/*.md")),
]
# What tests elsewhere run: tests/it/hosting.rs of the command line, the sixth game, and the generated page.
ELSEWHERE = ["host-on-the-internet.md", "add-a-game.md", "reference/cli.md", "internals/"]
# Seconds after which a command that has not ended never will.
PATIENCE = 300
BLOCK = re.compile(r"^[ \t]*```(\w*)([^\n]*)\n(.*?)^[ \t]*```", re.S | re.M)


def shown():
    """The blocks of commands: an id, what follows the fence's first word, and the text."""
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        if any(part in name for part in ELSEWHERE):
            continue
        for number, (kind, mark, text) in enumerate(BLOCK.findall(page.read_text()), 1):
            if kind in ("sh", "console"):
                yield f"{name}-{number}", mark.strip(), text


BLOCKS = list(shown())


def test_marks_are_spelt_in_one_way():
    assert {mark for _, mark, _ in BLOCKS} <= {"", "illustration"}
    assert len(BLOCKS) > 60
    assert sum(not mark for _, mark, _ in BLOCKS) > 40, "most commands run"


def commands(text):
    """The commands of a block, without prompts, comments and what they print."""
    if re.search(r"^\$ ", text, re.M):
        text = "\n".join(re.findall(r"^\$ (.*)$", text, re.M))
    text = re.sub(r"\\\n\s*", " ", text)
    lines = [re.sub(r"\s+# .*$", "", line).strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def at(line, ports):
    """A command with the addresses of this test's server, and with few games."""
    host, http = ports["http"].rsplit(":", 1)
    usual = {"7800": http, **{port: ports[name].rsplit(":", 1)[1] for port, name in PORTS.items()}}
    for there in ("192.168.1.20", "127.0.0.1", "localhost"):
        for port, own in usual.items():
            line = re.sub(rf"(?<![\w.]){re.escape(there)}([: ]){port}\b", rf"{host}\g<1>{own}", line)
    line = re.sub(r"^python3 (examples/(\w+)\.py)$", rf"python3 \1 {host} \2", line)
    line = re.sub(r"^node (examples/(\w+)\.mjs)$", rf"node \1 {host} \2", line)
    for name in ("sushi_go", "subsim", "gamba", "labyrinth", "tiger_dragon"):
        own = ports[name.replace("_", "-")].rsplit(":", 1)[1]
        line = re.sub(rf"({host}) {name}$", rf"\1 {own}", line)
    line = re.sub(r"--games \d+", "--games 2", line)
    line = re.sub(r"^(parlor bot \S+)(?!.*--connect)", rf"\1 --connect http://{ports['http']}", line)
    # To watch takes as long as a tournament, and to serve has no end: that the options are right can be seen.
    line = line.replace("parlor tournament watch", "parlor tournament show")
    return re.sub(r"^parlor serve(.*?)( &)?$", r"parlor config\1 > /dev/null", line)


PORTS = {
    "8080": "gamba",
    "7878": "sushi-go",
    "7879": "sushi-go-sdk",
    "9555": "subsim",
    "7676": "labyrinth",
    "7677": "labyrinth-course",
    "9002": "tiger-dragon",
}

TEAMS = """red-foxes,Red Foxes,,python3 examples/gamba.py {host} {port} {name}
benchmark,The Benchmark,,house:thrifty
third,,,house:random
"""


@pytest.fixture
def place(tmp_path):
    """A folder with what readers of a page have by then, and a server that its commands find."""
    for name in ("examples", "python"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/parlor").symlink_to(BINARY)
    for name in ("teams.csv", "class.csv"):
        (tmp_path / name).write_text(TEAMS)
    first = (ROOT / "docs/start/first-bot.md").read_text()
    (tmp_path / "mybot.py").write_text(re.search(r"```python\n(.*?)```", first, re.S)[1])
    shutil.copy(ROOT / "python/parlor_games/net.py", tmp_path)
    command = [BINARY, "serve", "--house-bots", "--data", tmp_path / "parlor-data"]
    command += ["--port", "http=0"]
    for name in PORTS.values():
        command += ["--port", f"{name}=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENV) as process:
        try:
            word, ports = process.stdout.readline().split(" ", 1)
            assert word == "ready"
            yield tmp_path, json.loads(ports)
        finally:
            process.terminate()


def run(folder, command):
    env = {**ENV, "PATH": f"{folder}/bin:{os.environ['PATH']}", "TOKEN": token(folder)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    shell = ["sh", "-c", command]
    with subprocess.Popen(
        shell, cwd=folder, env=env, text=True, start_new_session=True, **pipes
    ) as process:
        try:
            printed, complaints = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            # What it started ends with it.
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(shell, process.returncode, printed, complaints)


def token(folder):
    return (pathlib.Path(folder) / "parlor-data/admin-token").read_text().strip()


def prepare(folder, text):
    """What a block takes for granted: a claimed name, a tournament, a game that was played."""
    first = []
    if ("ann.key" in text or "rotate ann" in text) and "names claim" not in text:
        first.append("parlor names claim ann > ann.key")
    if "cup ann" in text and "create" not in text:
        first.append("parlor tournament create gamba --id cup --max 4")
    if "game-1.jsonl" in text or "games.jsonl" in text or "ratings" in text:
        bots = "--bot house:random --bot house:thrifty"
        first.append(f"parlor play gamba {bots} --games 1 --replays . > /dev/null")
        first.append(
            f"parlor tournament run gamba --format round-robin --out rated {bots} > /dev/null"
        )
    if "parlor play sushi-go --wire house" in text:
        bot = folder / "mybot.py"
        bot.write_text(bot.read_text().replace("gamba", "sushi-go"))
    for command in first:
        ended = run(folder, command)
        assert ended.returncode == 0, f"{command}: {ended.stderr}"


def is_as_told(line, ended):
    """Whether a command did what its page says. The first bot fails one test, and its page says so."""
    if line.startswith("parlor check gamba --wire house --all"):
        items = [json.loads(item) for item in ended.stdout.splitlines()]
        wrong = [item["item"] for item in items if item["mark"] == "wrong"]
        return len(items) > 8 and wrong == ["refused move"]
    return ended.returncode == 0


@pytest.mark.parametrize(
    "text", [pytest.param(text, id=name) for name, mark, text in BLOCKS if not mark]
)
def test_a_block_of_commands_runs(text, place):
    folder, ports = place
    prepare(folder, text)
    lines = [at(line, ports) for line in commands(text)]
    assert lines, text
    for line in lines:
        ended = run(folder, line)
        assert is_as_told(line, ended), f"{line}\n{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"
