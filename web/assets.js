// Where a file of the pages is. A server gives each a name that says what is in it, and answers for this
// module with a list of them; where files are read as they lie, they are at their plain addresses.

/** @param {string} path */
export function asset(path) {
  return path;
}
