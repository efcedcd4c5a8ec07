/** @returns {Animation[]} */
export function motion() {
  return [];
}
