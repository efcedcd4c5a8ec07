// What the files of this board pass to each other. Types only.

import type { Context, View } from "../../../../web/types.d.ts";

export type { Caption, Context, MoveLine, Update, View } from "../../../../web/types.d.ts";
export type { Child, VNode } from "../../../../web/dom.js";

export type Cell = { row: number; column: number };
/** A cell as the wire writes it. */
export type Place = { "row#": number; "column#": number };
export type Direction = "LEFT" | "RIGHT" | "UP" | "DOWN";
export type Slide = [number, Direction];
export type Tile = { connector: string; pair: string[] };
export type Maze = { tiles: Tile[][]; spare: Tile; last: Slide | null };

export interface Quest {
  treasure: string[];
  place: Place | null;
  homeward: boolean;
  found: number;
}

/** What a person has chosen so far. */
export interface Draft {
  /** How far the spare is turned, counter-clockwise. */
  degree: number;
  /** The number of a row or column, typed before its direction. */
  line: number | null;
  slide: Slide | null;
  to: Cell | null;
  /** What may not be done, and why. */
  why: string;
}

/** What is to be drawn: the view, and with a draft how it would be. */
export interface Scene {
  view: View;
  ctx: Context;
  draft: Draft;
  /** Whether a drafted slide is shown. */
  drafting: boolean;
  maze: Maze;
  /** The labyrinth without the draft. */
  before: Maze;
  positions: Cell[];
  /** The seats still in. */
  seats: number[];
  /** The cells that the draft lets its player walk to, by name. */
  reach: Set<string> | null;
  /** The slide and the way that are shown, and whose they are. */
  slide: Slide | null;
  way: Cell[];
  mover: number;
}

export type Box = { x: number; y: number; width: number; height: number };

/** Where everything is on the stage. */
export interface Layout {
  /** Panels stand beside the labyrinth, not below. */
  wide: boolean;
  width: number;
  height: number;
  /** What the labyrinth lies on, with room for arrows. */
  table: Box;
  maze: Box;
  /** From one tile to the next. */
  size: number;
  /** Room for arrows and numbers. */
  margin: number;
  rim: number;
  spare: Box;
  quest: Box;
  /** Where there is room to say what the signs mean. */
  key: Box | null;
}
