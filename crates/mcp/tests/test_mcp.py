"""Language models play: the endpoint as the official client for Python sees it."""

import asyncio
import json
import re
import socket
import threading
import time

import httpx2
import pytest
from conftest import BINARY, GAMES, ROOT
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from stand_in import StandIn

TOOLS = [
    "list_games",
    "rules",
    "list_tables",
    "join",
    "wait_turn",
    "look",
    "legal_actions",
    "act",
    "history",
    "review",
    "leave",
]
WEAKEST = {
    "gamba": "random",
    "labyrinth": "random",
    "subsim": "random",
    "sushi-go": "greedy",
    "tiger-dragon": "random",
}
SMALL = {
    "labyrinth": {"options": {"max_rounds": 4}},
    "subsim": {"options": {"map_size": [10, 10], "max_turns": 100}},
    "tiger-dragon": {"options": {"target": 5}},
}


def run(server, play, **how):
    async def session():
        async with Client(server.mcp, **how) as client:
            return await play(client)

    return asyncio.run(session())


@pytest.mark.parametrize("game", GAMES)
def test_plays_each_game_to_its_end(server, game):
    async def play(client):
        player = StandIn(client, game, "Stand-in", errs=0.1)
        await player.sit_down(opponents=[WEAKEST[game]], version="a script", **SMALL.get(game, {}))
        return player, await player.play()

    player, end = run(server, play)
    # Moves that reach the goal are listed first, so a game of Labyrinth may be won in two.
    assert player.moves > (1 if game == "labyrinth" else 3)
    assert "Stand-in" in end, "the result names who played"


def test_tools_resources_and_prompt_say_what_is_here(server):
    async def play(client):
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
        listed = (await client.list_resources()).resources
        assert [str(one.uri) for one in listed] == [f"parlor://rules/{game}" for game in GAMES]
        for game in GAMES:
            [text] = (await client.read_resource(f"parlor://rules/{game}")).contents
            told = await client.call_tool("rules", {"game": game})
            assert text.text == told.content[0].text
            assert "## Actions" in text.text
        [prompt] = (await client.list_prompts()).prompts
        assert prompt.name == "play"
        [message] = (await client.get_prompt("play", {"game": "gamba", "name": "Ann"})).messages
        assert "Play one game of gamba as Ann" in message.content.text
        games = await client.call_tool("list_games", {})
        assert [game["game"] for game in games.structured_content["games"]] == GAMES

    run(server, play)


def test_twenty_second_wait_survives(server):
    async def play(client):
        player = StandIn(client, "gamba", "Patient")
        await player.sit_down(seats=2)
        heard = []

        async def progress(*news):
            heard.append(news)

        began = time.monotonic()
        waited = {"seat": player.seat, "seconds": 21}
        result = await client.call_tool("wait_turn", waited, progress_callback=progress)
        assert time.monotonic() - began >= 20
        assert result.structured_content["status"] == "waiting"
        assert heard, "whoever waits long hears that the server is still there"
        await player.call("leave", seat=player.seat)

    run(server, play)


def test_same_act_twice_is_one_move(server):
    async def play(client):
        player = StandIn(client, "sushi-go", "Twice")
        await player.sit_down(opponents=["greedy"])
        act = {"seat": player.seat, "seq": 0, "action": {"play": 0}}
        both = await asyncio.gather(*(client.call_tool("act", act) for _ in range(2)))
        assert [result.is_error for result in both] == [False, False]
        again = await client.call_tool("act", act)
        assert not again.is_error, again.content[0].text
        other = await client.call_tool("act", {**act, "action": {"play": 1}})
        assert other.is_error, "another move for a turn that is over"
        assert other.structured_content["seq"] == 1
        state = (await client.call_tool("look", {"seat": player.seat})).structured_content
        assert (state["seq"], len(state["view"]["hand"])) == (1, 9)

    run(server, play)


def test_illegal_move_is_in_band(server):
    async def play(client):
        player = StandIn(client, "gamba", "Wrong")
        await player.sit_down(opponents=["random"])
        attempts = [
            ({"seq": 0, "action": "pick-up"}, "illegal"),
            ({"seq": 0, "action": {"fly": 1}}, "bad-message"),
            ({"seq": 5, "action": "reserve"}, "stale"),
        ]
        for attempt, code in attempts:
            result = await client.call_tool("act", {"seat": player.seat, **attempt})
            told = result.structured_content
            assert (result.is_error, told["refused"], told["seq"]) == (True, code, 0)
            assert "an action such as {" in result.content[0].text
        wrong, text = await player.call("act", seat=player.seat, seq="soon")
        assert wrong and "act was called wrongly" in text and "Arguments that work" in text
        wrong, text = await player.call("join", game="chess", name="Ann")
        assert wrong and "Choose one of gamba" in text
        wrong, text = await player.call("look", seat="gamba:nobody")
        assert not wrong and "This seat is gone" in text

    run(server, play)


EXAMPLE = re.compile(r"an action such as (.*)\.$", re.M)


def test_the_hint_is_a_legal_order_on_every_turn(server):
    """A model that copies the example plays a whole game of SubSim without being refused."""

    async def play(client):
        player = StandIn(client, "subsim", "Copier")
        text = await player.sit_down(opponents=["random"], options={"map_size": [10, 10]})
        for turn in range(30):
            while "Your turn" not in text and "The game is over" not in text:
                _, text = await player.call("wait_turn", seat=player.seat)
            if "The game is over" in text:
                return turn
            seq = int(re.search(r"Your turn \(seq (\d+)\)", text).group(1))
            action = json.loads(EXAMPLE.search(text).group(1))
            assert list(action) == ["place" if turn == 0 else "orders"]
            wrong, text = await player.call("act", seat=player.seat, seq=seq, action=action)
            assert not wrong, text
        return 30

    assert run(server, play) > 3


def test_moves_of_labyrinth_are_grouped_by_slide(server):
    async def play(client, number):
        player = StandIn(client, "labyrinth", f"Grouped{number}")
        text = await player.sit_down(opponents=["random"])
        while "Your turn" not in text:
            _, text = await player.call("wait_turn", seat=player.seat)
        return text, player.heard[-1][1]

    # In a few positions all moves are listed, because there are not many.
    for number in range(5):
        text, state = run(server, lambda client: play(client, number))
        if state["legal_count"] > 60:
            break
    slides = re.findall(r"^ +\d (LEFT|RIGHT|UP|DOWN): ", text, re.M)
    assert len(slides) >= 12, text
    assert state["legal_count"] > 60 and len(state["legal"]) == 16
    assert len(text) < 9000


def test_a_refused_move_does_not_repeat_the_position(server):
    async def play(client):
        player = StandIn(client, "labyrinth", "Wrong2")
        text = await player.sit_down(opponents=["random"])
        while "Your turn" not in text:
            _, text = await player.call("wait_turn", seat=player.seat)
        seq = int(re.search(r"Your turn \(seq (\d+)\)", text).group(1))
        for action in [[1, "LEFT", 0, {"column#": 0, "row#": 0}], {"fly": 1}]:
            wrong, text = await player.call("act", seat=player.seat, seq=seq, action=action)
            told = player.heard[-1][1]
            assert wrong and len(text) < 900, text
            assert "look shows the position" in text and EXAMPLE.search(text)
            assert len(json.dumps(told)) < 2500 and told["position"]["legal"] is None
        # A move for another turn gets the position that it must answer.
        wrong, text = await player.call("act", seat=player.seat, seq=seq + 7, action="PASS")
        assert wrong and f"there is no turn {seq + 7} yet" in text and "Legal moves (" in text

    run(server, play)


def test_attempts_and_think_time_are_recorded(server):
    async def play(client):
        player = StandIn(client, "gamba", "Slow")
        await player.sit_down(opponents=["random"])
        for action in ["pick-up", {"fly": 1}]:
            await player.call("act", seat=player.seat, seq=0, action=action)
        _, text = await player.call("look", seat=player.seat)
        await player.move(text)
        await player.play()
        state = player.heard[-1][1]
        return state["table"], state["you_are"]

    table, seat = run(server, play)
    frames = server.get(f"/api/v1/results/gamba/{table}/frames?viewer=all").splitlines()
    moves = [move for frame in frames for move in json.loads(frame).get("moves", [])]
    first = next(move for move in moves if move["seat"] == seat)
    assert first["refused"] == 2, "what is illegal and what cannot be read both count"
    assert first["ms"] >= 0


def test_legal_moves_are_found_by_a_text_and_can_be_switched_off(server):
    async def play(client):
        player = StandIn(client, "labyrinth", "Reader")
        text = await player.sit_down(opponents=["random"])
        if not text.count("Your turn"):
            await player.call("wait_turn", seat=player.seat)
        _, found = await player.call("legal_actions", seat=player.seat, contains="row 0", limit=3)
        listed = player.heard[-1][1]
        assert "slide row 0" in found
        assert len(listed["legal"]) == 3 < listed["count"]
        blind = StandIn(client, "gamba", "Blind")
        text = await blind.sit_down(opponents=["random"], legal=False)
        assert "Legal moves are not listed here" in text
        assert blind.heard[-1][1]["legal"] is None
        wrong, text = await blind.call("legal_actions", seat=blind.seat)
        assert wrong and "not listed at this table" in text

    run(server, play)


def test_no_hidden_card_in_any_result(server):
    """Every card in a result is one that the seat itself could see by then."""

    async def play(client):
        ann, ben = (StandIn(client, "gamba", name, seed) for seed, name in enumerate(["Ann", "Ben"]))
        await ann.sit_down(seats=2)
        await ben.sit_down(table=ann.heard[-1][1]["table"])
        await asyncio.gather(ann.play(), ben.play())
        return ann

    ann = run(server, play)
    last = ann.heard[-1][1]
    path = f"/api/v1/results/gamba/{last['table']}/frames?viewer={last['you_are']}"
    frames = [json.loads(frame) for frame in server.get(path).splitlines()]
    card = re.compile(r"\b(?:10|[2-9JQKA])[SHDC]\b")
    seen, known = {}, set()
    for frame in frames:
        if frame["type"] == "update":
            known |= set(card.findall(json.dumps(frame["view"])))
            seen[frame["seq"]] = set(known)
    compared = 0
    for text, told in ann.heard:
        if told.get("seq") in seen and told.get("view"):
            told_cards = set(card.findall(text.split("Call act")[0])) | set(
                card.findall(json.dumps(told["view"]))
            )
            assert told_cards <= seen[told["seq"]], (told["seq"], text)
            compared += 1
    assert compared >= 3, "nobody gets rid of six cards in fewer turns"


def test_foreign_host_and_origin_are_refused(server):
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"accept": "application/json, text/event-stream"}
    port = server.ports["http"]
    assert server.post("/mcp", body, **accept)[0] == 200
    assert server.post("/mcp", body, **accept, origin=f"http://127.0.0.1:{port}")[0] == 200
    foreign = [("host", "evil.example"), ("origin", "https://evil.example"), ("origin", "null")]
    for header, value in foreign:
        status, text = server.post("/mcp", body, **accept, **{header: value})
        assert status == (421 if header == "host" else 403), (value, text)


def test_a_message_that_is_too_long_is_refused(server):
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"fill": "x" * 70_000}}
    assert server.post("/mcp", body, accept="application/json, text/event-stream")[0] == 413


def test_old_and_new_protocol_revisions(server):
    async def versions(mode):
        async with Client(server.mcp, mode=mode) as client:
            result = await client.call_tool("list_tables", {"game": "gamba"})
            assert not result.is_error
            return client.session.protocol_version

    assert asyncio.run(versions("auto")) == "2026-07-28"
    assert asyncio.run(versions("legacy")) < "2026"
    accept = {"accept": "application/json, text/event-stream"}
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]:
        hello = {"protocolVersion": version, "capabilities": {}}
        hello["clientInfo"] = {"name": "old", "version": "1"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        status, text = server.post("/mcp", body, **accept)
        assert (status, json.loads(text)["result"]["protocolVersion"]) == (200, version)
        call = {"name": "rules", "arguments": {"game": "gamba"}}
        body = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}
        status, text = server.post("/mcp", body, **accept, **{"mcp-protocol-version": version})
        assert "# Gamba" in json.loads(text)["result"]["content"][0]["text"]


def test_a_claimed_name_needs_its_key(server):
    status, text = server.post("/api/v1/names", {"name": "Owner"})
    assert status in (200, 201), text
    key = json.loads(text)["key"]

    async def stranger(client):
        return await client.call_tool("join", {"game": "gamba", "name": "Owner", "seats": 2})

    assert run(server, stranger).is_error

    async def owner():
        headers = {"authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            async with Client(streamable_http_client(server.mcp, http_client=http)) as client:
                return await stranger(client)

    assert not asyncio.run(owner()).is_error


def tcp_bot(port, table, ended):
    """Plays the first card of every hand, by the game's own protocol."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        def say(text):
            line.sendall(f"{text}\n".encode())

        say(f"JOIN {table} Tcp")
        for text in line.makefile():
            if text.startswith("WELCOME"):
                say("READY")
            elif text.startswith("HAND"):
                say("PLAY 0")
            elif text.startswith("GAME_END"):
                ended.append(text)
                return


def test_two_agents_and_a_tcp_bot_share_a_table(server):
    async def play(client):
        ann, ben = (StandIn(client, "sushi-go", name, seed) for seed, name in enumerate(["Ann", "Ben"]))
        text = await ann.sit_down(seats=3)
        table = ann.heard[-1][1]["table"]
        assert "2 of 3 seats free" in text
        await ben.sit_down(table=table)
        ended = []
        bot = threading.Thread(target=tcp_bot, args=(server.ports["sushi-go"], table, ended))
        bot.start()
        ends = await asyncio.gather(ann.play(), ben.play())
        bot.join(30)
        assert ended, "the bot heard the end too"
        return ends

    for end in run(server, play):
        assert all(name in end for name in ["Ann", "Ben", "Tcp"])


@pytest.mark.parametrize("kill", [False, True])
def test_seat_survives_a_server_restart(lasting_server, kill):
    server = lasting_server

    async def begin(client):
        player = StandIn(client, "sushi-go", "Ann")
        await player.sit_down(opponents=["greedy"])
        for _ in range(5):
            _, text = await player.call("wait_turn", seat=player.seat)
            await player.move(text)
        _, text = await player.call("look", seat=player.seat)
        return player, player.heard[-1][1]

    player, before = run(server, begin)
    server.stop(kill)
    server.start()

    async def go_on(client):
        player.client = client
        await player.call("look", seat=player.seat)
        after = player.heard[-1][1]
        assert (after["seq"], after["view"]) == (before["seq"], before["view"])
        return await player.play()

    assert "Ann" in run(server, go_on)


def test_a_program_on_this_machine_plays_over_standard_input(lasting_server):
    """Also while the server is started again."""
    server = lasting_server
    url = f"127.0.0.1:{server.ports['http']}"

    async def play():
        program = StdioServerParameters(command=BINARY, args=["mcp", "--url", url])
        async with Client(program) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            player = StandIn(client, "sushi-go", "Desktop", errs=0.1)
            await player.sit_down(opponents=["greedy"])
            _, text = await player.call("wait_turn", seat=player.seat)
            await player.move(text)
            server.stop()
            again = threading.Thread(target=server.start)
            again.start()
            end = await player.play()
            again.join()
            return end

    assert "Desktop" in asyncio.run(play())


def test_the_loop_on_the_page_plays_a_game(server, capsys):
    page = (ROOT / "docs/guides/let-a-model-play.md").read_text()
    [program] = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(program.replace("http://127.0.0.1:7800", server.address), {})
    assert capsys.readouterr().out.startswith("The game is over.")


def test_history_is_told_during_the_game_and_after_it(server):
    async def play(client):
        player = StandIn(client, "gamba", "Reader")
        await player.sit_down(opponents=["random"])
        _, text = await player.call("wait_turn", seat=player.seat)
        await player.move(text)
        wrong, text = await player.call("history", seat=player.seat)
        assert not wrong and "seq 0:" in text
        table = player.heard[0][1]["table"]
        wrong, text = await player.call("history", game="gamba", table=table)
        assert wrong, "a game that is not over is told to its players alone"
        await player.play()
        for arguments in [{"seat": player.seat}, {"game": "gamba", "table": table}]:
            wrong, text = await player.call("history", **arguments)
            assert not wrong and "turn 1" in text
        wrong, text = await player.call("review", game="gamba", table=table)
        assert not wrong and "mean regret" in text

    run(server, play)
