import assert from "node:assert/strict";

/** Nothing on the console, no policy report, no request to elsewhere. @param {string[]} complaints */
export function expectNoComplaints(complaints) {
  assert.deepEqual([...new Set(complaints)], []);
}
