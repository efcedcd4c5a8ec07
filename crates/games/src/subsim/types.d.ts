// The fields of SubSim's views, as docs/reference/json-protocol.md lists them, and what the board makes of them.
// Types only: no browser asks for this file.

import type { Context, MoveLine, Turn, Update, VNode } from "../../../../web/types.d.ts";

export type { Context, MoveLine, Turn, Update, VNode };

export type Square = [column: number, row: number];

export interface Sub {
  square: Square;
  shields: number;
  sonar_charge: number;
  torpedo_charge: number;
  mine_charge: number;
  sprint_charge: number;
  torpedoes: number | null;
  mines: number | null;
  surface_remain: number;
  reactor_damage: number;
  dead: boolean;
  /** How far they reach is told of one's own. */
  sonar_range?: number;
  torpedo_range?: number;
  sprint_range?: number;
  mine_ready?: boolean;
}

export interface Kind {
  size: number;
  start: Square | null;
  surface_turn_count: number;
  max_shields: number;
  max_reactor_damage: number;
  max_sonar_charge: number;
  max_torpedo_charge: number;
  max_mine_charge: number;
  max_sprint_charge: number;
  torpedo_count: number | null;
  mine_count: number | null;
}

export interface Blast {
  square: Square;
  radius: number;
  /** What it takes from a boat by its distance; null: everything. Frames of earlier releases do not say. */
  damage?: (number | null)[];
}

export interface Thing {
  square: Square;
  size: number;
}

export interface Ping {
  sub: number;
  from: Square;
  range: number;
  squares: Square[];
}

export interface Shot {
  sub: number;
  from: Square;
  target: Square;
  path: Square[];
  went_off: boolean;
}

export interface Report {
  turn: number;
  detonations: Blast[];
  detected: { sub: number; distance: number }[];
  heard: { sub: number; count: number }[];
  objects: Thing[];
  pings: Ping[];
  shots: Shot[];
  torpedo_hits: { square: Square; damage: number }[];
  mine_hits: { square: Square; damage: number }[];
  subs: Sub[];
  score: number;
}

export interface Choices {
  sub: number;
  move: string[];
  mine: string[];
  sprint: [way: string, farthest: number][];
  fire: Square[];
  ping: Square[];
}

export interface View {
  chart: { map_size: [number, number]; obstacles: Square[]; max_turns: number };
  kinds: Kind[];
  phase: "placing" | "playing" | "over";
  executed: number;
  subs: Sub[];
  choices: Choices[];
  mines: Square[];
  score: number;
  news: Report[];
  end: {
    outcome: { points: number; place: number; exit: string | null }[];
    fleets: Sub[][];
    mines: { square: Square; owner: number | null }[];
  } | null;
}

export type Command =
  | "ping"
  | "surface"
  | { move: [string, string] }
  | { sleep: [string, string] }
  | { fire: Square }
  | { mine: string }
  | { sprint: [string, number] };

export interface Order {
  sub: number;
  command: Command;
}

/** A boat that may be seen. */
export interface Boat {
  seat: number;
  id: number;
  state: Sub;
  /** What it is built for. */
  kind: Kind;
  heading: string;
  /** Where it was, the oldest first, ending where it is. */
  track: { square: Square; turn: number }[];
  /** Shields it has lost in the last turn. */
  lost: number;
  /** Whether it was destroyed in the last turn. */
  sunk: boolean;
}

/** A seat whose own view is known. */
export interface Eye {
  seat: number;
  view: View;
  /** Of the last turns, the oldest first, ending with `view.news`. */
  reports: Report[];
}

export interface Scene {
  columns: number;
  rows: number;
  obstacles: Square[];
  eyes: Eye[];
  boats: Boat[];
  mines: { square: Square; owner: number | null }[];
  blasts: Blast[];
  /** Blasts of the turns before. */
  scars: { square: Square; turn: number }[];
  shots: (Shot & { seat: number })[];
  pings: (Ping & { seat: number; objects: Thing[] })[];
  contacts: (Thing & { seat: number; turn: number; age: number })[];
}

/** Where squares are drawn. */
export interface Grid {
  columns: number;
  rows: number;
  cell: number;
  width: number;
  height: number;
  middle(square: Square): [number, number];
}

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Words beside a point; `away` is how far from it. */
export interface Tag {
  x: number;
  y: number;
  away: number;
  words: string;
  seat?: number;
  hit?: boolean;
}

/** An order in the making. */
export interface Draft {
  /** The boat the order is for. */
  sub?: number;
  kind?: string;
  way?: string;
  /** How many squares to sprint. */
  far?: number;
  charges?: string[];
  target?: Square;
  /** Where the arrow keys or the pointer are. */
  cursor?: Square;
  /** Commands of boats that have theirs. */
  done?: Record<number, Command>;
  places?: Square[];
  /** Why the last thing that was tried cannot be. */
  said?: string;
}

/** The boat in question, and the draft with what is usual where nothing was chosen. */
export interface Now {
  draft: Draft;
  done: Record<number, Command>;
  choices: Choices;
  state: Sub;
  built: Kind;
  kind: string;
  charges: string[];
}
