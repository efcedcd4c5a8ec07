"""Every example of docs/python.md runs as it stands there."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.DOTALL)


def test_there_are_examples():
    assert len(EXAMPLES) >= 7


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example(number, server, capsys):
    host, port = server
    code = EXAMPLES[number].replace('name="ann"', f'host="{host}", port={port}, name="doc"')
    exec(compile(code, f"docs/python.md, example {number + 1}", "exec"), {"__name__": "docs"})
    assert "print" not in code or capsys.readouterr().out


def test_the_sizes_in_the_table_are_true():
    from parlor_games import spec

    rows = re.findall(r"^\| .*?: ([\d,]+) \| ([\d,]+) \|$", (ROOT / "docs/python.md").read_text(), re.M)
    told = [tuple(int(number.replace(",", "")) for number in row) for row in rows]
    games = ["sushi-go", "gamba", "tiger-dragon", "labyrinth", "subsim"]
    assert told == [(spec(game).actions, spec(game).observation) for game in games]
