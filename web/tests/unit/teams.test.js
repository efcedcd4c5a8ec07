// The list of teams as an organiser pastes it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readOptions, readTeams } from "../../event/teams.js";

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
  assert.equal(readTeams("ann\nAnn").wrong, "Ann is there twice: see line 2.");
  assert.equal(readTeams("ann\n,Ben").wrong, "Line 2 has no name.");
});

test("teams: all of them are counted, whatever is wrong with one", () => {
  const { teams, wrong } = readTeams("ann\nbob\ncy\nAnn\ndot\neve");
  assert.equal(teams.length, 6);
  assert.equal(wrong, "Ann is there twice: see line 4.");
});

test("teams: a file of the command line is read with its versions, with a header or without", () => {
  const teams = [
    { name: "ann", display: "Ann's bot", version: "1.4" },
    { name: "cleo", plays_as: "red" },
    { name: "r1", bot: "random", version: "2" },
  ];
  const plain = "ann,Ann's bot,,./a --fast,1.4\ncleo,,red,\nr1,,,house:random,2\n";
  assert.deepEqual(readTeams(plain), { teams, wrong: "" });
  const header = "Name,Version,Plays as,Display name,Command\n";
  const other = "ann,1.4,,Ann's bot,./a\ncleo,,red\nr1,2,,,house:random\n";
  assert.deepEqual(readTeams(header + other), { teams, wrong: "" });
  assert.equal(readTeams("name,colour\nann,red").wrong, "Line 1: there is no column 'colour'.");
});

test("teams: options of the game are typed as for the command line", () => {
  assert.deepEqual(readOptions("strikes=5\n\n size = [9, 9]\npass_direction=alternate\nx=true"), {
    options: { strikes: 5, size: [9, 9], pass_direction: "alternate", x: true },
    wrong: "",
  });
  assert.equal(
    readOptions("strikes").wrong,
    "'strikes' is not an option. Write one KEY=VALUE per line.",
  );
});
