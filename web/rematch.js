// After a game: playing it again with the same people. The server says who has stayed and who wants to;
// this says it to a person, and to the server what the person wants.

import { h } from "./dom.js";
import { words } from "./texts.js";

/**
 * @typedef {{ name: string, here: boolean, wants: boolean }} Seat
 * @typedef {import("./types.d.ts").Seated} Seated
 */

export class Rematch {
  /** @param {(message: object) => void} say @param {() => void} changed */
  constructor(say, changed) {
    this.say = say;
    this.changed = changed;
    this.forget();
  }

  forget() {
    /** The seat whose game is over. @type {{ table: string, token: string, seat: number } | null} */
    this.own = null;
    /** As last told. @type {Seat[] | null} */
    this.seats = null;
    /** As people read them, seat by seat. @type {string[]} */
    this.names = [];
    /** Seats of house bots, which agree to everything. @type {boolean[]} */
    this.bots = [];
  }

  /**
   * The game is over: stay. House bots agree to everything.
   * @param {{ table: string, token: string, seat: number }} own
   * @param {(Seated | null)[]} seats
   */
  stay(own, seats) {
    if (this.own) return;
    this.own = own;
    this.names = seats.map((seat) => seat?.display ?? seat?.name ?? "");
    this.bots = seats.map((seat) => Boolean(seat?.bot));
    this.ask(false);
  }

  /** @param {boolean} wants */
  ask(wants) {
    if (!this.own) return;
    const { table, token } = this.own;
    this.say({ do: "rematch", id: "rematch", table, token, wants });
  }

  /** @param {{ table: string, seats: Seat[] }} message */
  heard({ table, seats }) {
    if (this.own?.table !== table) return;
    this.seats = seats.map((seat, at) => ({ ...seat, name: this.names[at] || seat.name }));
  }

  /** Nobody plays again, whatever was wanted. */
  leave() {
    if (this.own) this.say({ do: "leave", id: "rematch" });
    this.forget();
    this.changed();
  }

  /** What a person reads and can press; null if the game is to be played again without asking anybody. */
  shown() {
    const { own, seats } = this;
    if (!own || !seats) return null;
    const others = seats.filter((_, at) => at !== own.seat && !this.bots[at]);
    const names = (/** @type {Seat[]} */ some) => words.list(some.map(({ name }) => name));
    const { left, wants, waits, yes, no, ask, cancel } = words.rematch;
    const gone = others.filter(({ here }) => !here);
    if (gone.length > 0) return this.line(left(names(gone), gone.length), []);
    const wanting = others.filter(({ wants }) => wants);
    if (seats[own.seat].wants) {
      const missing = others.filter((seat) => !seat.wants);
      return this.line(waits(names(missing)), [button(cancel, false, () => this.ask(false))]);
    }
    if (wanting.length > 0) {
      return this.line(wants(names(wanting), wanting.length), [
        button(yes, true, () => this.ask(true)),
        button(no, false, () => this.leave()),
      ]);
    }
    return this.line("", [button(ask, true, () => this.ask(true))]);
  }

  /** Whether somebody could still agree. */
  isOpen() {
    return this.seats !== null && this.seats.every(({ here }) => here);
  }

  /** @param {string} said @param {import("./dom.js").Child[]} buttons */
  line(said, buttons) {
    return [said ? h("p", { class: "rematch", role: "status" }, said) : null, ...buttons];
  }
}

/** @param {string} text @param {boolean} main @param {() => void} onclick */
function button(text, main, onclick) {
  return h("button", { class: main ? "button main" : "button", type: "button", onclick }, text);
}
