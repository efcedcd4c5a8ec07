// The messages of the house wire as pages read them, and what a board is. Types only.

import type { VNode, Child } from "./dom.js";

/** What one receiver may know of a game: its fields are the game's own (docs/reference/json-protocol.md). */
export type View = any;
/** A move as it goes over the wire. */
export type Action = any;

export interface Seated {
  name: string;
  display: string | null;
  present: boolean;
  person: boolean;
  /** The strategy of a house bot. */
  bot: string | null;
  version: string | null;
  strikes: number;
}

export interface TableMessage {
  type: "table";
  table: string;
  status: "waiting" | "playing" | "finished" | "void";
  clock_ms: number | null;
  pace_ms: number;
  broadcast: string;
  starts: string;
  seats: (Seated | null)[];
}

export interface MoveMade {
  seat: number;
  action: Action | null;
  ms: number;
  how: "made" | "clock" | "bot" | "left";
  refused: number;
}

export interface Update {
  type: "update";
  seq: number;
  seat: number | null;
  view: View;
  names: string[];
  to_move: number[];
  your_move: boolean;
  legal: Action[] | null;
  time_left_ms: number | null;
  clock_ms: number | null;
  moves: MoveMade[];
  seat_views?: View[];
  words?: string;
  skipped?: number;
}

export interface Over {
  type: "over";
  places?: number[];
  points?: number[];
  how?: string[];
  words?: string;
  void?: string;
}

/** Whose eyes: the public's, everybody's, or one seat's. */
export type Viewer = "public" | "all" | number;

/** A person's turn at a board: what may be done, and what was chosen so far. */
export interface Turn {
  /** Every legal action, or null where there are too many to list. */
  legal: Action[] | null;
  /** Sends the move. Afterwards `sent` is true until the server has answered. */
  act(action: Action): void;
  sent: boolean;
  /** What the person has chosen so far; null when the turn begins. Its form is the board's own. */
  draft: any;
  choose(draft: any): void;
}

/** What a board may use besides the view. Nothing else: a board keeps no state. */
export interface Context {
  game: string;
  /** The players' names, seat by seat. */
  names: string[];
  /** What is known of who sits there; may be null for a seat that is free. */
  seats: (Seated | null)[];
  viewer: Viewer;
  /** The seat that is drawn nearest: the viewer's own, or 0. */
  near: number;
  /** Each seat's own view, where everything may be seen; else null. */
  seatViews: View[] | null;
  /** All updates up to and including this one, the last of each turn; `updates.at(-1)` is this one. */
  updates: Update[];
  toMove: number[];
  /** Seats that have moved in this turn of several. */
  moved: number[];
  over: Over | null;
  clockMs: number | null;
  timeLeftMs: number | null;
  /** The stage's width in CSS pixels. */
  width: number;
  /** How high the stage may be, at one's own seat: more would have to be scrolled. */
  height: number | null;
  /** Set while a person at this page is to move. */
  turn: Turn | null;
}

/** A sentence or two: what happened, then what follows. Also what a screen reader says. */
export interface Caption {
  now: string;
  next?: string;
}

/** A line of the move list. */
export interface MoveLine {
  seat: number | null;
  words: string;
  note?: string;
}

/** What `crates/games/src/<game>/board.js` exports by default. */
export interface Board {
  /** The stage: SVG, or HTML with SVG in it, `ctx.width` wide. */
  board(view: View, ctx: Context): VNode;
  /** Panels beside the stage, or under it on a phone. */
  side(view: View, ctx: Context): VNode[];
  /** Below the stage while `ctx.turn` is set: the one main button and what else can be pressed. */
  controls(view: View, ctx: Context): VNode | null;
  /** Keys that mean something on this board alone, also while others move. */
  ownKeys?: string;
  /** The only thing that can be done this turn, if it is not worth asking for; undefined otherwise. */
  forced?(view: View, ctx: Context): any;
  /** Keys while `ctx.turn` is set. True if the key meant something. */
  key?(key: string, view: View, ctx: Context): boolean;
  caption(view: View, ctx: Context): Caption;
  /** Each seat's points (or what stands for them) in this view; null: not known yet. */
  points(view: View, ctx: Context): (number | null)[];
  /** What the plot of the points is called, and what its line on top means. */
  plot: { title: string; note: string };
  /** At the end: what decided the game, in a sentence or two. */
  decided?(view: View, ctx: Context): string;
  /** What to show over the board when a round has just ended; null otherwise. */
  summary?(view: View, ctx: Context): { title: string; content: Child } | null;
  /** What was done in this update, for the move list. */
  moves(update: Update, ctx: Context): MoveLine[];
  /** A word for the scrubber's marks if this update is one to jump to, such as "round 2"; else null. */
  mark?(update: Update, before: Update | null): string | null;
  /** Where a game stands in words for headings: "Round 2 of 3, turn 5 of 8". */
  where(view: View): string;
  /** The number of the turn as this game counts them, if not one for every update. */
  turn?(view: View): number;
  /** Whether the game is decided, where turns follow in which nobody chooses anything. */
  ended?(view: View): boolean;
  /** Whether a seat is out of the game while others play on. */
  out?(view: View, seat: number): boolean;
  /**
   * Motion that `data-flip` cannot say (web/README.md): called after the stage shows `view`, having
   * shown `before`. Returns the animations it began.
   */
  motion?(stage: Element, before: View, view: View, ctx: Context): Animation[];
}

/** What `crates/games/src/<game>/about.js` exports by default. */
export interface About {
  title: string;
  /** One sentence that makes people want to play. */
  tagline: string;
  /** A few facts in a line: seats, length. */
  facts: string;
  /** Whether a player whose time runs out is out at once. */
  outOnTime?: boolean;
  /** Three sentences for the first game, one after the other over the board. */
  guide?: string[];
  /** How tables are played that people open from the page, if not as the server plays by itself. */
  options?: Record<string, any>;
  /** Rules in brief: a paragraph, then name and value like a printed programme. */
  brief: { words: string; list: [string, string][] };
  /** The rules page: sections, each with an optional picture drawn by the board from a view. */
  rules: { title: string; words: string[]; picture?: Picture }[];
}

export interface Picture {
  view: View;
  names: string[];
  viewer?: Viewer;
  seatViews?: View[];
  alt: string;
}

export type { VNode, Child };
