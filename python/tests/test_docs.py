"""Every example of the two pages about training runs as it stands there."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["docs/guides/train-in-python.md", "docs/start/first-training.md"]
PAGE = "\n".join((ROOT / page).read_text() for page in PAGES)
SECTIONS = {
    section.splitlines()[0]: re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for section in re.split(r"^##+ ", PAGE, flags=re.MULTILINE)
}
WITH_EXAMPLES = [name for name, examples in SECTIONS.items() if examples]


def test_there_are_examples():
    assert len(WITH_EXAMPLES) >= 9


@pytest.mark.parametrize("section", WITH_EXAMPLES)
def test_examples(section, server, recorded, monkeypatch, capsys):
    """Those of one section follow each other, as in a notebook."""
    host, port = server
    monkeypatch.chdir(recorded)
    names = {"__name__": "docs"}
    for number, example in enumerate(SECTIONS[section], 1):
        code = example.replace('name="ann"', f'host="{host}", port={port}, name="doc"')
        exec(compile(code, f"{section}, example {number}", "exec"), names)
        assert "\nprint" not in code or capsys.readouterr().out


def test_what_learning_prints_is_true(capsys):
    """The same seeds give the same games, and numpy nearly the same numbers."""
    section = next(name for name in SECTIONS if name.startswith("A player that learns"))
    names = {}
    for example in SECTIONS[section]:
        exec(compile(example, section, "exec"), names)
    told = re.findall(r"(before|after): (\d+) won", capsys.readouterr().out)
    shown = re.findall(r"^(before|after): (\d+) won", PAGE, re.MULTILINE)
    assert [word for word, _ in told] == [word for word, _ in shown] == ["before", "after"]
    assert told[0] == shown[0] and abs(int(told[1][1]) - int(shown[1][1])) < 40


def test_the_sizes_in_the_table_are_true():
    from parlor_games import spec

    rows = re.findall(r"^\| .*?: ([\d,]+) \| ([\d,]+) \|$", PAGE, re.M)
    told = [tuple(int(number.replace(",", "")) for number in row) for row in rows]
    games = ["sushi-go", "gamba", "tiger-dragon", "labyrinth", "subsim"]
    assert told == [(spec(game).actions, spec(game).observation) for game in games]
