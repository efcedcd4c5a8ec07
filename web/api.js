// The server's HTTP API, as pages read it: JSON in, a clear sentence when something is wrong.

import { words } from "./texts.js";

/** What went wrong, for people. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status @param {string} code */
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What a page that asks again by itself says of an error. @param {unknown} error */
export function whatWentWrong(error) {
  if (error instanceof ApiError && error.code === "network") return words.errors.network;
  return error instanceof Error ? error.message : String(error);
}

/** @param {string} address @returns {Promise<any>} */
export async function getJson(address) {
  return (await get(address, "application/json")).json();
}

/** JSON Lines, one value a line. @param {string} address @returns {Promise<any[]>} */
export async function getLines(address) {
  return lines(await (await get(address, "application/jsonl")).text());
}

/** JSON Lines as they come, one value at a time. @param {string} address @param {(value: any) => void} take @param {AbortSignal} signal */
export async function streamLines(address, take, signal) {
  const response = await get(address, "application/jsonl", { signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const whole = (rest + piece.value).split("\n");
    rest = whole.pop() ?? "";
    whole.filter((line) => line.trim() !== "").forEach((line) => take(JSON.parse(line)));
  }
}

/** Sends text, reads JSON Lines. @param {string} address @param {string} body @param {string} [bearer] @returns {Promise<any[]>} */
export async function postLines(address, body, bearer) {
  /** @type {Record<string, string>} */
  const headers = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  const more = { method: "POST", body, headers };
  return lines(await (await get(address, "application/jsonl", more)).text());
}

/**
 * Asks for something to be done, with a token or a key where that is needed.
 * @param {string} method @param {string} address @param {unknown} [body] @param {string} [bearer]
 * @returns {Promise<any>}
 */
export async function send(method, address, body, bearer) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  return (await get(address, "application/json", { method, body: text, headers })).json();
}

/** @param {string} text @returns {any[]} */
export function lines(text) {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

/** @param {string} address @param {string} accept @param {RequestInit} [more] */
async function get(address, accept, more = {}) {
  let response;
  try {
    response = await fetch(address, { ...more, headers: { Accept: accept, ...more.headers } });
  } catch {
    throw new ApiError("The server does not answer.", 0, "network");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new ApiError(
    body.error ?? `The server says ${response.status}.`,
    response.status,
    body.code ?? "",
  );
}
