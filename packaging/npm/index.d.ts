// The JSON protocol of a Parlor server. docs/reference/json-protocol.md says what each field means.

export type GameName = "sushi-go" | "subsim" | "gamba" | "labyrinth" | "tiger-dragon" | (string & {});

/** What one receiver may know of a game: its fields are the game's own. */
export type View = any;
/** A move as it goes over the wire. */
export type Action = any;

export interface Hello {
  type: "hello";
  game: string;
  rules_version: number;
  wire: number;
  seats: { min: number; max: number };
  action: { words: string; examples: Action[] };
  strategies: { name: string; level: number; words: string }[];
  name_rule: string;
}

export interface Joined {
  type: "joined";
  table: string;
  seat: number;
  /** Given once: it takes the seat back after the connection has broken. */
  token: string;
  resumed: boolean;
}

export interface Seated {
  name: string;
  display: string | null;
  present: boolean;
  person: boolean;
  bot: string | null;
  version: string | null;
  strikes: number;
}

export interface Table {
  type: "table";
  table: string;
  status: "waiting" | "playing" | "finished" | "void";
  clock_ms: number | null;
  pace_ms: number;
  broadcast: "public" | "delayed" | "full";
  starts: string;
  commitment: string | null;
  seats: (Seated | null)[];
}

export interface Move {
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
  /** Every legal action; null if there are too many, or if it is not your move. */
  legal: Action[] | null;
  time_left_ms: number | null;
  clock_ms: number | null;
  moves: Move[];
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
  /** Why there is no result. */
  void?: string;
}

export interface Refusal {
  type: "refused";
  code: string;
  message: string;
  hint: string | null;
  seq?: number;
}

export type Message =
  | Hello
  | Joined
  | Table
  | Update
  | Over
  | Refusal
  | { type: "accepted"; seq: number }
  | { type: "waiting"; seq: number; to_move: number[] }
  | { type: "history"; updates: Update[]; next: number | null }
  | { type: "rematch"; table: string; seats: { name: string; here: boolean; wants: boolean }[] }
  | { type: "tables"; tables: unknown[]; next: string | null }
  | { type: "closed"; reason: string; resume?: boolean }
  | { type: "pong" };

export interface Join {
  name: string;
  table?: string;
  key?: string;
  version?: string;
  person?: boolean;
  /** Opens a table of your own with these house bots. */
  bots?: string[];
  options?: Record<string, unknown>;
  legal?: boolean;
  words?: boolean;
}

export type Request =
  | ({ do: "join" } & Join)
  | { do: "resume"; token: string; legal?: boolean; words?: boolean }
  | { do: "watch"; table?: string; all?: boolean; legal?: boolean; words?: boolean }
  | { do: "act"; seq: number; action: Action }
  | { do: "look"; legal?: boolean; words?: boolean }
  | { do: "history"; from: number }
  | { do: "rematch"; table: string; token: string; wants?: boolean }
  | { do: "tables"; status?: Table["status"]; after?: string; limit?: number }
  | { do: "ready" | "start" | "leave" | "ping" };

/** The server has understood, and says no. */
export class Refused extends Error {
  readonly code: string;
  readonly answer: Refusal;
}

/** The connection is gone. */
export class Disconnected extends Error {}

export interface ConnectOptions {
  /** A WebSocket class in place of the platform's. */
  WebSocket?: new (address: string) => unknown;
}

export class Connection implements AsyncIterableIterator<Message> {
  readonly hello: Hello;
  /** Says something, and waits for nothing. */
  send(message: Request): void;
  /** Says something, and resolves with the direct answer; a refusal is thrown as `Refused`. */
  ask(message: Request): Promise<Message>;
  /** The next message that is no direct answer; `done` when the connection has ended. */
  next(): Promise<IteratorResult<Message, undefined>>;
  [Symbol.asyncIterator](): this;
  /** Sits down, plays one game, and resolves with its end. A broken connection is made again. */
  play(join: Join, choose: (update: Update) => Action | Promise<Action>): Promise<Over>;
  close(): void;
}

/** Connects to a server such as ws://127.0.0.1:7800 for one game. */
export function connect(server: string | URL, game: GameName, options?: ConnectOptions): Promise<Connection>;
