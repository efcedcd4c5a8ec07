// The fields of SubSim's views, as docs/house-wire.md lists them. Types only.

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
