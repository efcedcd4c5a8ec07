"""The same seed and the same actions are the same game, in process and on a server."""

import json
import threading
import urllib.request

import pytest
from test_net import SMALL, Chooser

from parlor_games import GAMES, State, net


def duel(server, game, options):
    """Two bots at a table of their own; returns them by seat, and the table."""
    seats = {}

    class Session(net._Session):
        def over(self, message):
            seats[self.seat] = self.bot
            return super().over(message)

    first = {"do": "join", "name": "first", "options": {"seats": 2, **options}}
    host = Session(Chooser(1), game, server, first, 30.0, False)
    line = host.line = net.WebSocket(*server, f"/house/{game}")
    line.send(first)
    while (message := line.receive())["type"] != "joined":
        assert message["type"] != "refused", message
    host.token, host.table, host.seat = message["token"], message["table"], message["seat"]
    second = {"do": "join", "name": "second", "table": host.table}
    guest = Session(Chooser(2), game, server, second, 30.0, False)
    thread = threading.Thread(target=guest.play)
    thread.start()
    host.talk(line)
    thread.join(60)
    host.close()
    guest.close()
    return [seats[0], seats[1]], host.table


@pytest.mark.parametrize("game", GAMES)
def test_trajectory_in_process_equals_the_wire(server, game):
    options = SMALL.get(game, {})
    bots, table = duel(server, game, options)
    address = f"http://{server[0]}:{server[1]}/api/v1/results/{game}/{table}"
    with urllib.request.urlopen(address) as answer:
        seed = json.load(answer)["deal"]["seed"]
    state = State(game, 2, seed, options)
    actions = [iter(bot.actions) for bot in bots]
    while (seat := state.to_play()) is not None:
        # The server acknowledges Labyrinth's end for its players.
        state.act(next(actions[seat], "ACKNOWLEDGE"))
    assert [list(rest) for rest in actions] == [[], []]
    for seat, bot in enumerate(bots):
        assert bot.views[0] == state.views(seat)[0]
        assert bot.views[-1] == state.view(seat)
