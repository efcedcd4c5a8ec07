"""States and batches."""

import copy
import glob
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

from parlor_games import GAMES, Batch, State, review, spec
from parlor_games.core import WAIT
from parlor_games.matches import interval

pytestmark = pytest.mark.filterwarnings("error")


def play_random(state: State, seed: int = 0, moves: int = 10_000) -> list[int]:
    rng = np.random.default_rng(seed)
    chosen = []
    while not state.is_terminal() and len(chosen) < moves:
        chosen.append(int(rng.choice(state.legal_actions())))
        state.apply(chosen[-1])
    return chosen


@pytest.mark.parametrize("game", GAMES)
def test_a_state_is_cloned_saved_and_resampled(game):
    state = State(game, seed=3)
    play_random(state, moves=7)
    clone, loaded = state.clone(), State.deserialize(state.serialize())
    codes = play_random(state, 1, 20)
    for other in (clone, loaded):
        for code in codes:
            other.apply(code)
        assert other.serialize() == state.serialize()
        assert np.array_equal(other.observation_tensor(0), state.observation_tensor(0))
    if not state.is_terminal():
        other = state.resample(1, seed=5)
        assert other.view(1) == state.view(1)
        assert np.array_equal(other.observation_tensor(1), state.observation_tensor(1))


@pytest.mark.parametrize("game", ["sushi-go", "gamba", "tiger-dragon"])
def test_a_game_ends_and_is_worth_nothing_in_sum(game):
    state = State(game, seed=1)
    play_random(state)
    assert sum(state.returns()) == 0
    assert state.current_player() == -4 and state.legal_actions() == []
    assert sorted(state.places())[0] == 1
    assert len(state.views(0)) > 5


@pytest.mark.parametrize("game", GAMES)
def test_masks_are_the_legal_actions_and_every_code_has_a_name(game):
    state = State(game, seed=2)
    play_random(state, moves=5)
    mask = state.legal_actions_mask()
    assert np.flatnonzero(mask).tolist() == state.legal_actions()
    table = spec(game)
    assert len({table.action_name(code) for code in range(table.actions)}) == table.actions
    for plane in table.planes:
        assert table.plane(plane.name, state.observation_tensor(0)).shape == plane.shape
    for code in state.legal_actions()[:5]:
        assert state.encode(state.decode(code)) == [code]


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="the games are sushi-go"):
        State("chess")
    with pytest.raises(ValueError, match="deel"):
        State("gamba", config={"deel": "guide"})
    with pytest.raises(ValueError, match=r"code 53 \(pick up\) is not legal for seat 0"):
        State("gamba").apply(53)
    with pytest.raises(IndexError, match="seats 0 to 1"):
        State("gamba").observation_tensor(2)
    with pytest.raises(KeyError, match="it has hand"):
        spec("gamba").plane("hands", np.zeros(75, np.float32))


def test_simultaneous_moves_are_applied_together():
    state = State("sushi-go", 3, seed=1)
    assert state.current_players() == [0, 1, 2]
    before = state.observation_tensor(2)
    state.apply(state.legal_actions()[0])
    assert np.array_equal(state.observation_tensor(2), before)
    state.apply_joint([state.legal_actions(seat)[0] for seat in (1, 2)])
    assert state.current_players() == [0, 1, 2]
    assert not np.array_equal(state.observation_tensor(2), before)


def test_labyrinth_is_factored():
    state = State("labyrinth", seed=1)
    parts = state.spec.factored(state.legal_actions_mask())
    assert parts.shape == (16, 4, 49)
    slide = int(np.flatnonzero(parts.any(axis=(1, 2)))[0])
    turn = int(np.flatnonzero(parts[slide].any(axis=1))[0])
    square = int(np.flatnonzero(parts[slide, turn])[0])
    state.apply((slide * 4 + turn) * 49 + square)


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_plays_what_states_play(game):
    batch = Batch(game, 4, seed=7)
    again = Batch(game, 4, seed=7)
    for _ in range(40):
        assert batch.mask[np.arange(4), (codes := batch.sample())].all()
        batch.step(codes)
        again.step(codes)
        assert np.array_equal(batch.obs, again.obs) and np.array_equal(batch.mask, again.mask)
    assert batch.obs.dtype == np.float32 and not batch.obs.flags.writeable


def test_other_threads_run_during_a_step():
    """Python changes threads only where the compiled part lets go, and so it must."""
    batch, rounds = Batch("tiger-dragon", 64, seed=1), []
    started, stop = threading.Event(), threading.Event()

    def work():
        started.set()
        while not stop.is_set() and len(rounds) < 3000:
            rounds.append(batch.playout())

    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        stop.set()
        thread.join()
    finally:
        sys.setswitchinterval(before)
    assert len(rounds) < 3000


def test_a_batch_pays_at_the_end_and_begins_again():
    batch = Batch("gamba", 16, seed=1)
    ended = 0
    for _ in range(200):
        batch.step(batch.sample())
        assert (batch.rewards.sum(axis=1) == 0).all()
        assert (np.abs(batch.rewards).sum(axis=1) > 0)[batch.done == 1].all()
        ended += int(batch.done.sum())
    assert ended > 30
    before = batch.obs.copy()
    batch.step(np.full(16, WAIT))
    assert np.array_equal(batch.obs, before)
    with pytest.raises(ValueError, match="is not legal"):
        batch.step(np.full(16, 99))
    assert batch.playout() > 16


def interpreters():
    """Every CPython from 3.10 on that is on the PATH."""
    found = {os.path.realpath(sys.executable)}
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found |= {os.path.realpath(path) for path in glob.glob(f"{folder}/python3*[0-9]")}
    code = "import sys; print(sys.implementation.name == 'cpython' and sys.version_info >= (3, 10))"
    run = lambda path: subprocess.run([path, "-c", code], capture_output=True, text=True)  # noqa: E731
    return sorted(path for path in found if run(path).stdout == "True\n")


@pytest.mark.parametrize("interpreter", interpreters())
def test_wheel_imports_on_every_interpreter_found(interpreter):
    """Without any other package, too: numpy is needed for arrays only."""
    code = (
        "import parlor_games, parlor_games.net; from parlor_games import _parlor;"
        "state = _parlor.RawState('gamba', '{}', 2, 1); state.apply(state.legal_actions()[0]);"
        "print(state.to_play(), len(_parlor.spec('gamba', '{}', 2)) > 100)"
    )
    import parlor_games

    folder = str(pathlib.Path(parlor_games.__file__).parents[1])
    command = [interpreter, "-I", "-S", "-c", f"import sys; sys.path.append({folder!r}); {code}"]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.stdout == "1 True\n", said.stderr


@pytest.mark.parametrize("game", GAMES)
def test_states_and_batches_are_copied_and_pickled(game):
    state = State(game, seed=3)
    for _ in range(5):
        state.apply(state.legal_actions()[0])
    for copied in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert copied.serialize() == state.serialize()
        copied.apply(copied.legal_actions()[-1])
        assert copied.serialize() != state.serialize(), "a copy is a game of its own"
    batch = Batch(game, 4, seed=3)
    for _ in range(30):
        batch.step(batch.sample())
    for copied in (copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        other = copy.deepcopy(batch)
        for _ in range(10):
            actions = other.sample()
            assert (copied.sample() == actions).all()
            other.step(actions)
            copied.step(actions)
            for name in ("obs", "mask", "to_play", "rewards", "done"):
                assert (getattr(copied, name) == getattr(other, name)).all(), name


def test_a_bot_stays_in_its_seat_in_a_copy():
    state = State("gamba", seed=1)
    state.seat_bot(0, "thrifty")
    for copied in (copy.copy(state), pickle.loads(pickle.dumps(state))):
        copied.let_bot_move()
        assert copied.to_play() == 1


def test_arrays_of_a_batch_cannot_be_written():
    batch = Batch("gamba", 4)
    for name in ("obs", "mask", "to_play", "rewards", "done"):
        with pytest.raises(ValueError):
            getattr(batch, name)[...] = 1


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_goes_on_after_a_playout(game):
    batch = Batch(game, 3, seed=1, config={"max_rounds": 5} if game == "labyrinth" else None)
    assert batch.playout() > 0
    assert batch.done.all() and (batch.rewards.sum(axis=1) == 0).all()
    for _ in range(10):
        batch.step(batch.sample())


@pytest.mark.parametrize("game", GAMES)
def test_a_resampled_state_has_the_views_of_its_seat(game):
    state = State(game, seed=5)
    for turn in range(2000):
        if state.is_terminal():
            break
        codes = state.legal_actions()
        state.apply(codes[turn % len(codes)])
        # Rarely once it lasts long, because views are played again from the beginning.
        if not state.is_terminal() and turn % (1 + turn // 20) == 0:
            for seat in range(2):
                other = state.resample(seat, turn)
                assert other.view(seat) == state.view(seat)
                assert other.views(seat) == state.views(seat)


def test_all_alike_is_not_certain():
    for scores in ([1.0, 1.0], [0.5] * 20, [0.0] * 100):
        low, high = interval(scores)
        assert low < high and low <= scores[0] <= high


REPLAY = pathlib.Path(__file__).parents[2] / "crates/gym/src/tests/gamba.jsonl"


def test_a_position_of_a_played_game_has_values():
    state = State.from_replay(REPLAY, turn=2)
    values = state.values(deals=16)
    assert len(values) > 1 and all(0 <= one.value <= 1 for one in values)
    assert [one.value for one in values] == [one.value for one in state.values(deals=16)]
    state.act(values[0].action)
    with pytest.raises(ValueError, match="the last turn of the game is"):
        State.from_replay(REPLAY, turn=10_000)


def test_a_replay_file_is_reviewed():
    found = review(REPLAY, deals=16)
    assert found["game"] == "gamba" and len(found["players"]) == 2
    assert all(0 <= decision["regret"] <= 1 for decision in found["decisions"])
