"""What stands in for a language model: it reads the words of the results and nothing else."""

import json
import random
import re

TURN = re.compile(r"^Your turn \(seq (\d+)\)", re.M)
SEAT = re.compile(r'Your seat is "([^"]+)"')
SUBMARINE = re.compile(r"submarine (\d+) at .*\n    move (\[[^\]]*\])")


class StandIn:
    """Plays like a model that reads well and sometimes errs."""

    def __init__(self, client, game, name, seed=1, errs=0.0):
        self.client, self.game, self.name = client, game, name
        self.chance, self.errs = random.Random(seed), errs
        self.seat, self.refused, self.moves, self.heard = None, [], 0, []

    async def call(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        self.heard.append((content.text, result.structured_content))
        return result.is_error, content.text

    async def sit_down(self, **arguments):
        wrong, text = await self.call("join", game=self.game, name=self.name, **arguments)
        assert not wrong, text
        self.seat = SEAT.search(text).group(1)
        return text

    async def play(self, most=2000):
        """Plays to the end and returns the last words."""
        _, text = await self.call("look", seat=self.seat)
        for _ in range(most):
            if text.startswith("The game is over"):
                return text
            if TURN.search(text):
                text = await self.move(text)
            else:
                wrong, text = await self.call("wait_turn", seat=self.seat)
                assert not wrong, text
        raise AssertionError(f"no end after {most} calls:\n{text}")

    async def move(self, text):
        seq = int(TURN.search(text).group(1))
        action = self.choose(text)
        if self.chance.random() < self.errs:
            action = self.chance.choice([{"play": 99}, "nonsense", {"fire": "everything"}, 7])
        wrong, text = await self.call("act", seat=self.seat, seq=seq, action=action)
        if wrong:
            self.refused.append((seq, text))
            assert "Refused:" in text and "seq" in text
            _, text = await self.call("look", seat=self.seat)
        else:
            self.moves += 1
        return text

    def choose(self, text):
        if "\nLegal moves (" in text:
            _, listed = text.split("\nLegal moves (", 1)
            lines = [line for line in listed.splitlines() if line.startswith("  ")]
            decode = json.JSONDecoder().raw_decode
            return decode(self.chance.choice(lines).strip())[0]
        if "Choose a square" in text:
            return {"place": [[self.chance.randint(1, 10), self.chance.randint(1, 10)]]}
        orders = []
        for sub, directions in SUBMARINE.findall(text):
            directions = json.loads(directions)
            command = "surface"
            if directions:
                command = {"move": [self.chance.choice(directions), "none"]}
            orders.append({"sub": int(sub), "command": command})
        return {"orders": orders}
