// Plays a game of each kind that lists its moves, with the installed package.

import assert from "node:assert";
import { connect, Refused } from "parlor-games";

const server = process.argv[2];
for (const game of ["gamba", "sushi-go", "tiger-dragon"]) {
  const player = await connect(server, game);
  assert.equal(player.hello.game, game);
  const bots = [player.hello.strategies[0].name];
  const over = await player.play({ name: "ann", bots }, (update) => update.legal[0]);
  assert.equal(over.places.length, 2);
  assert.deepEqual(over.how, ["finished", "finished"]);
  await assert.rejects(player.ask({ do: "resume", token: "nobody's" }), (error) => {
    return error instanceof Refused && error.code === "unknown-token";
  });
  player.close();
}
await assert.rejects(connect(server, "chess"));
