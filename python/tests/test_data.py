"""Games that were played on a server, exported and learned from."""

import gzip
import json

import numpy as np
import pytest
from conftest import parlor, serving
from test_net import SMALL, Chooser
from test_wire import duel

from parlor_games import GAMES, State, data, run


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A game of every kind by two bots, the bots by seat, and what was exported of it."""
    folder = tmp_path_factory.mktemp("recorded")
    played = {}
    with serving("--data", folder / "data") as server:
        for game in GAMES:
            played[game] = duel(server, game, SMALL.get(game, {}))
        options = {"map_size": [10, 10], "max_turns": 100, "subs_per_player": 3}
        played["fleet"] = duel(server, "subsim", options)
        with pytest.raises(ZeroDivisionError):
            run(lambda view, legal: 1 / 0, "gamba", *server, "faulty", bots=["random"])
        # Once this game is over, the server has noticed that the other was left.
        run(Chooser, "gamba", *server, "third", bots=["random"])
    for game in GAMES:
        exported = parlor("export", game, "--data", folder / "data", "--turns")
        assert exported.returncode == 0 and exported.stderr == ""
        (folder / f"{game}.jsonl").write_text(exported.stdout)
    return folder, played


@pytest.mark.parametrize("game", [*GAMES, "fleet"])
def test_exported_turns_are_what_the_players_saw_and_states_say(played, game):
    folder, games = played
    bots, table = games[game]
    name = "subsim" if game == "fleet" else game
    (recorded,) = [g for g in data.load(folder / f"{name}.jsonl") if g.id == table]
    assert recorded.game == name and sorted(recorded.names) == ["first", "second"]
    # Over the wire each player saw its own views, and so are those of the export.
    for seat, bot in enumerate(bots):
        own = [turn for turn in recorded.turns if turn.seat == seat]
        assert all(turn.view["viewer"] == {"seat": seat} for turn in own)
        assert [turn.view for turn in own if turn.view in bot.views] == [turn.view for turn in own]
        assert [turn.action for turn in own if turn.how == "made"][: len(bot.actions)] == bot.actions
    # Replayed, they are the same numbers.
    lessons, state = data.arrays([recorded]), recorded.state()
    row = 0
    for turn in [turn for turn in recorded.turns if turn.action is not None]:
        assert state.to_play() == turn.seat and turn.your_move
        assert state.view(turn.seat) == turn.view and state.legal() == turn.legal
        codes = state.encode(turn.action)
        for part, code in enumerate(codes, 1):
            assert np.array_equal(lessons.obs[row], state.observation_tensor(turn.seat))
            assert np.array_equal(lessons.mask[row], state.legal_actions_mask(turn.seat))
            assert lessons.mask[row, code] == 1 and lessons.actions[row] == code
            assert lessons.seats[row] == turn.seat
            row += 1
            if part < len(codes):
                state.apply(code)
        # The very action: its code may mean another card of the same kind.
        state.act(turn.action)
    assert state.is_terminal() and row == len(lessons)
    assert recorded.returns() == state.returns() and recorded.places == state.places()
    assert lessons.done.sum() == 2
    for seat in (0, 1):
        own = lessons.seats == seat
        assert lessons.rewards[own].sum() == lessons.returns[own][-1] == state.returns()[seat]


def test_nobody_learns_from_what_was_hidden(played):
    """Both seats of one deal: neither has the other's hand in its turns."""
    folder, games = played
    game = next(data.load(folder / "gamba.jsonl"))
    # At the end all cards are open, as in the protocol.
    for turn in (turn for turn in game.turns if not turn.over):
        hands = [seat["hand"] for seat in turn.view["seats"]]
        assert hands[turn.seat] is not None and hands[1 - turn.seat] is None
        assert (turn.legal is not None) == turn.your_move


def test_a_player_who_left_has_no_action(played):
    folder, _ = played
    (game,) = [g for g in data.load(folder / "gamba.jsonl") if "faulty" in g.names]
    seat = game.names.index("faulty")
    left = [turn for turn in game.turns if turn.seat == seat and turn.how == "left"]
    assert [turn.action for turn in left] == [None]
    assert game.turns[-1].over and game.returns()[seat] == -1.0


def test_lines_of_an_export_and_what_is_no_export(played, tmp_path):
    folder, games = played
    text = (folder / "gamba.jsonl").read_text()
    with gzip.open(tmp_path / "gamba.jsonl.gz", "wt") as file:
        file.write(text)
    many = [list(data.load(source)) for source in (text.splitlines(), tmp_path / "gamba.jsonl.gz")]
    assert many[0] == many[1] and len(many[0]) == 3
    for line in text.splitlines():
        told = json.loads(line)
        assert told["game"] == "gamba" and told["id"]
        assert "seats" in told or {"seq", "seat"} <= told.keys()
    turns = [line for line in text.splitlines() if '"seq"' in line]
    with pytest.raises(ValueError, match="line 1 is not of .*without its game"):
        list(data.load(turns))
    with pytest.raises(ValueError, match="line 1 is not of"):
        list(data.load(["[1, 2]"]))
    plain = parlor("export", "gamba", "--data", folder / "data").stdout
    with pytest.raises(ValueError, match="no game here has turns"):
        list(data.load(plain.splitlines()))
    with pytest.raises(ValueError, match="none of 0 games"):
        data.arrays([])
    with pytest.raises(ValueError, match="games of one kind"):
        data.arrays(data.load(folder / "subsim.jsonl"))


def test_decisions_are_chosen(played):
    folder, _ = played
    games = list(data.load(folder / "gamba.jsonl"))
    everything = data.arrays(games)
    second = data.arrays(games, keep=lambda game, turn: game.names[turn.seat] == "second")
    assert 0 < len(second) < len(everything)
    assert second.obs.shape == (len(second), State("gamba").spec.observation)
    assert second.done.sum() == 1 and set(second.games) == {0}


