// A tournament as `GET /api/v1/tournaments/GAME/ID` and its feed tell it (docs/reference/http-api.md). Types only.

export interface Entrant {
  name: string;
  display?: string;
  plays_as?: string;
  /** The strategy of a house bot. */
  bot?: string;
  withdrawn: boolean;
  withdrawn_because?: string;
  present: boolean;
  /** On a ladder, in milliseconds since 1970. */
  waiting_since?: number;
  /** It may be past. */
  quarantined_until?: number;
  quarantined_because?: string;
}

export interface PlayedGame {
  attempt: number;
  seats: number[];
  outcome: { points: number; place: number; exit: unknown }[] | null;
  how: string;
  causes: string[];
  /** Where it was played; its replay has the same id. */
  table?: string;
}

export interface Pairing {
  id: number;
  round: number;
  names: string[];
  entrants: number[];
  games: PlayedGame[];
  games_won: number[];
  decision: { how: string; winner: number | null; places: (number | null)[] } | null;
  /** Where it is played now. */
  table?: string;
}

export interface TieBreaks {
  direct: number;
  games_won: number;
  buchholz: number;
  sonneborn_berger: number;
  wins: number;
}

export interface Standing {
  name: string;
  entrant: number;
  place: number;
  points: number;
  tie_breaks: TieBreaks;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  byes: number;
  out_in_round: number | null;
  /** How often it had each seat; tournaments of earlier releases do not say. */
  seats?: number[];
  /** On a ladder: the strength and its 95 % interval. */
  elo?: number;
  low?: number;
  high?: number;
}

export interface Terms {
  clock_ms: number | null;
  no_show_ms: number;
  pace_ms: number;
  strikes: number;
  /** Missing in tournaments that an earlier release kept, like all that may be missing below. */
  strikes_in_all?: number;
  game_ms?: number | null;
  broadcast: "public" | "delayed" | "full";
}

export type Format =
  | "knockout"
  | "round-robin"
  | "swiss"
  | "gauntlet"
  | Record<string, { cycles?: number; rounds?: number; challengers?: number; wait_s?: number }>;

export interface Tournament {
  game: string;
  id: string;
  phase: "entering" | "running" | "paused" | "over" | "cancelled";
  plan: {
    format: Format;
    table_seats: number;
    max_entrants: number;
    best_of: number;
    rated: boolean;
  };
  convened_at: number;
  open: boolean;
  starts_when_full?: boolean;
  open_names: boolean;
  entry: "open" | "claimed";
  /** Missing in tournaments that an earlier release kept. */
  terms?: Terms;
  entrants: Entrant[];
  round: number;
  /** Of how many; 0 before the start and on a ladder. */
  rounds?: number;
  pairings: Pairing[];
  standings: Standing[];
  winner?: string;
}

export interface Rating {
  mean: number;
  uncertainty: number;
  games: number;
}
