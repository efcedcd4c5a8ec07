"""Bots over the network, and the same bots in process."""

import random
import socket
import subprocess
import sys
import threading

import pytest
from conftest import parlor

from parlor_games import GAMES, Bot, PolicyBot, State, match, net, run

SMALL = {"subsim": {"map_size": [10, 10], "max_turns": 100}, "labyrinth": {"max_rounds": 2}}


class Chooser(Bot):
    """Chooses by chance, in SubSim among what `choices` offers."""

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        self.actions = []
        self.views = []

    def watch(self, view):
        self.views.append(view)

    def choose(self, view, legal):
        self.actions.append(self.pick(view, legal))
        return self.actions[-1]

    def pick(self, view, legal):
        if legal is not None:
            return self.random.choice(legal)
        if view["phase"] == "placing":
            square = lambda: [self.random.randint(1, 10), self.random.randint(1, 10)]  # noqa: E731
            return {"place": [square() for _ in range(view["chart"]["subs_per_player"])]}
        orders = []
        for choice in view["choices"]:
            way = self.random.choice(choice["move"])
            orders.append({"sub": choice["sub"], "command": {"move": [way, "sonar"]}})
        return {"orders": orders}


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_plays_every_game(server, game):
    bot = Chooser()
    strategy = State(game).strategies()[0]
    options = SMALL.get(game, {})
    results = run(bot, game, *server, "ann", games=2, bots=[strategy], options=options)
    assert [len(result.places) for result in results] == [2, 2]
    assert set(results[0].how) == {"finished"} and results[0].moves > 0
    assert results[0].names[results[0].seat] == "ann"


def test_a_function_is_a_bot(server):
    (result,) = run(lambda view, legal: legal[0], "gamba", *server, "fun", bots=["random"])
    assert sorted(result.places) == [1, 2]


def test_the_exception_of_a_bot_is_its_own_and_ends_the_game(server):
    def choose(view, legal):
        raise ZeroDivisionError("my own mistake")

    with pytest.raises(ZeroDivisionError, match="my own mistake") as caught:
        run(choose, "gamba", *server, "faulty", bots=["random"])
    assert any(entry.name == "choose" for entry in caught.traceback)


def test_an_illegal_move_is_shown_with_its_reason(server):
    with pytest.raises(net.IllegalMove, match='"pick-up".*nothing to pick up') as caught:
        run(lambda view, legal: "pick-up", "gamba", *server, "wrong", bots=["random"])
    assert caught.value.action == "pick-up" and caught.value.code == "illegal"


def test_what_the_server_refuses_is_said(server):
    with pytest.raises(net.Refused, match="no house bot"):
        run(Chooser, "gamba", *server, "eve", bots=["nobody"])
    with pytest.raises(net.Refused, match="is no game"):
        run(Chooser, "chess", *server, "eve")


def test_a_claimed_name_is_played_with_its_key(server):
    claimed = parlor("names", "claim", "keyed", "--url", "{}:{}".format(*server))
    key = claimed.stdout.splitlines()[0]
    assert key.startswith("pk_"), claimed
    with pytest.raises(net.Refused, match="key"):
        run(Chooser, "gamba", *server, "keyed", bots=["random"])
    (result,) = run(Chooser, "gamba", *server, "keyed", bots=["random"], key=key)
    assert result.names[result.seat] == "keyed"


def test_another_protocol_is_told_apart():
    """Whoever says something that is not HTTP, or hangs up, is no server for this bot."""
    for answer in (b'{"type":"error"}\n', b""):
        with socket.create_server(("127.0.0.1", 0)) as listener:

            def speak(said=answer):
                connection, _ = listener.accept()
                connection.recv(1000)
                connection.sendall(said)
                connection.close()

            thread = threading.Thread(target=speak)
            thread.start()
            with pytest.raises(net.NoHandshake, match="does not speak the JSON protocol.*--wire house"):
                run(Chooser, "gamba", *listener.getsockname(), "lost")
            thread.join()


def test_a_lost_connection_is_taken_up_again(server):
    """The line is cut in the middle of the game, twice."""
    cut = []

    class Cutter(Chooser):
        def choose(self, view, legal):
            if len(self.actions) in (1, 3) and len(self.actions) not in cut:
                cut.append(len(self.actions))
                sessions[0].line.socket.shutdown(socket.SHUT_RDWR)
            return super().choose(view, legal)

    bot = Cutter()
    join = {"do": "join", "name": "phoenix", "bots": ["random"]}
    sessions = [net._Session(bot, "sushi-go", server, join, 30.0, False)]
    result = sessions[0].play()
    sessions[0].close()
    assert cut == [1, 3] and set(result.how) == {"finished"}


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_plays_by_numbers_over_the_network(server, game):
    config = SMALL.get(game, {})
    rng = random.Random(3)
    policy = lambda observation, mask: rng.choice([c for c in range(len(mask)) if mask[c]])  # noqa: E731
    bot = PolicyBot(policy, game, config=config)
    (result,) = run(bot, game, *server, "numbers", bots=[State(game).strategies()[0]], options=config)
    assert set(result.how) == {"finished"}


def test_a_match_in_process_changes_seats():
    result = match("random", Chooser(), "gamba", games=40)
    assert result.wins + result.draws + result.losses == result.games == 40
    assert 0 <= result.low <= result.score <= result.high <= 1
    best = State("sushi-go").strategies()[1]
    assert match(best, "random", "sushi-go", games=100).low > 0.5
    with pytest.raises(ValueError, match="even number"):
        match("random", "random", games=3)


def test_net_bot_needs_only_the_standard_library():
    code = (
        "import sys; before = set(sys.modules); import parlor_games.net;"
        "new = {name.split('.')[0] for name in set(sys.modules) - before};"
        "print(sorted(new - set(sys.stdlib_module_names)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "['parlor_games']"


def test_two_bots_meet_at_a_table_of_their_own(server):
    """The first opens a table, the second sits down there."""
    opened = threading.Event()
    tables, results = [], {}

    def first():
        join = {"do": "join", "name": "host", "options": {"seats": 2}}
        session = net._Session(Chooser(1), "gamba", server, join, 30.0, False)
        line = session.line = net.WebSocket(*server, "/house/gamba")
        receive = line.receive

        def tell():
            message = receive()
            if message.get("type") == "joined":
                tables.append(message["table"])
                opened.set()
            return message

        line.receive = tell
        results["host"] = session.play()
        session.close()

    thread = threading.Thread(target=first)
    thread.start()
    assert opened.wait(20)
    results["guest"] = run(Chooser(2), "gamba", *server, "guest", table=tables[0])[0]
    thread.join(20)
    assert results["host"].places == results["guest"].places
