// The list of teams as an organiser pastes it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readTeams } from "../../event/teams.js";

test("teams: a list is read as people write it", () => {
  const text = 'name,display\nann,"Ann, team 1"\n\nbob\ncleo,,red\nr1,,house:random\n# late\n';
  assert.deepEqual(readTeams(text), {
    teams: [
      { name: "ann", display: "Ann, team 1" },
      { name: "bob" },
      { name: "cleo", plays_as: "red" },
      { name: "r1", bot: "random" },
    ],
    wrong: "",
  });
});

test("teams: what is wrong says where", () => {
  assert.equal(readTeams("ann\nAnn").wrong, "Ann is there twice.");
  assert.equal(readTeams("ann\n,Ben").wrong, "Line 2 has no name.");
});
