// QR codes for invitations: bytes, error correction M, versions 1 to 10 (ISO/IEC 18004).

/** Codewords of each version: in all, for correction in a block, and in how many blocks. @type {[number, number, number][]} */
const VERSIONS = [
  [26, 10, 1],
  [44, 16, 1],
  [70, 26, 1],
  [100, 18, 2],
  [134, 24, 2],
  [172, 16, 4],
  [196, 18, 4],
  [242, 22, 4],
  [292, 22, 5],
  [346, 26, 5],
];

/** Where alignment patterns stand, from version 2 on. */
const ALIGNED = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The code of a text as rows of dark squares, or null if it is too long. @param {string} text @returns {boolean[][] | null} */
export function qr(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const at = VERSIONS.findIndex(([all, each, blocks], version) => {
    const length = version < 9 ? 1 : 2;
    return all - each * blocks >= bytes.length + length + 1;
  });
  if (at < 0) return null;
  const codewords = withCorrection(dataOf(bytes, at), at);
  const drawn = MASKS.map((_, mask) => draw(codewords, at, mask));
  return drawn.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

/** The text with its length, filled up. @param {number[]} bytes @param {number} at */
function dataOf(bytes, at) {
  const [all, each, blocks] = VERSIONS[at];
  const bits = [0, 1, 0, 0];
  const put = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(bytes.length, at < 9 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  const room = (all - each * blocks) * 8;
  for (let end = 0; end < 4 && bits.length < room; end += 1) bits.push(0);
  while (bits.length % 8 > 0) bits.push(0);
  for (let fill = 0xec; bits.length < room; fill ^= 0xec ^ 0x11) put(fill, 8);
  return Array.from({ length: room / 8 }, (_, byte) =>
    bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  );
}

/** Data in blocks, each with its correction, one codeword of each block after the other. @param {number[]} data @param {number} at */
function withCorrection(data, at) {
  const [, each, count] = VERSIONS[at];
  const short = Math.floor(data.length / count);
  const long = data.length % count;
  const blocks = Array.from({ length: count }, (_, block) => {
    const from = block * short + Math.max(0, block - (count - long));
    return data.slice(from, from + short + (block >= count - long ? 1 : 0));
  });
  const divisor = generator(each);
  const checks = blocks.map((block) => remainder(block, divisor));
  const woven = (/** @type {number[][]} */ rows, /** @type {number} */ length) =>
    Array.from({ length }, (_, place) =>
      rows.flatMap((row) => (place < row.length ? [row[place]] : [])),
    ).flat();
  return [...woven(blocks, short + 1), ...woven(checks, each)];
}

/** A product in the field of 256 elements. @param {number} a @param {number} b */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** @param {number} degree */
function generator(degree) {
  let poly = [...Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let at = 0; at < degree; at += 1) {
    poly = poly.map((value, place) => times(value, root) ^ (poly[place + 1] ?? 0));
    root = times(root, 2);
  }
  return poly;
}

/** @param {number[]} data @param {number[]} divisor */
function remainder(data, divisor) {
  let rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest = [...rest.slice(1), 0].map((value, at) => value ^ times(divisor[at], factor));
  }
  return rest;
}

/** @param {number[]} codewords @param {number} at @param {number} mask */
function draw(codewords, at, mask) {
  const size = 21 + 4 * at;
  /** @type {(boolean | null)[][]} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ dark) => {
    if (r >= 0 && c >= 0 && r < size && c < size) grid[r][c] = dark;
  };
  for (let place = 0; place < size; place += 1) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  for (const [r, c] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ])
    square(set, r, c, 4, [2, 4]);
  const places = ALIGNED[at];
  const last = places.length - 1;
  places.forEach((r, row) =>
    places.forEach((c, column) => {
      const taken = [`0 0`, `0 ${last}`, `${last} 0`].includes(`${row} ${column}`);
      if (!taken) square(set, r, c, 2, [1]);
    }),
  );
  formats(set, size, mask);
  if (at >= 6) version(set, size, at + 1);
  fill(grid, codewords, mask);
  return grid.map((row) => row.map(Boolean));
}

/** Rings round a middle; those at `light` are light. @param {(r: number, c: number, dark: boolean) => void} set @param {number} row @param {number} column @param {number} reach @param {number[]} light */
function square(set, row, column, reach, light) {
  for (let r = -reach; r <= reach; r += 1)
    for (let c = -reach; c <= reach; c += 1)
      set(row + r, column + c, !light.includes(Math.max(Math.abs(r), Math.abs(c))));
}

/** Which correction and which mask, twice. Level M is 0. @param {(r: number, c: number, dark: boolean) => void} set @param {number} size @param {number} mask */
function formats(set, size, mask) {
  let rest = mask;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (/** @type {number} */ place) => ((bits >> place) & 1) === 1;
  for (let place = 0; place < 15; place += 1) {
    const near = place < 6 ? place : place < 8 ? place + 1 : 15 - place;
    if (place < 8) set(near, 8, bit(place));
    else set(8, place === 8 ? 7 : 14 - place, bit(place));
    if (place < 8) set(8, size - 1 - place, bit(place));
    else set(size - 15 + place, 8, bit(place));
  }
  set(size - 8, 8, true);
}

/** @param {(r: number, c: number, dark: boolean) => void} set @param {number} size @param {number} number */
function version(set, size, number) {
  let rest = number;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (number << 12) | rest;
  for (let place = 0; place < 18; place += 1) {
    const dark = ((bits >> place) & 1) === 1;
    const [a, b] = [size - 11 + (place % 3), Math.floor(place / 3)];
    set(b, a, dark);
    set(a, b, dark);
  }
}

/** Two columns at a time, upwards and downwards, from the right. @param {(boolean | null)[][]} grid @param {number[]} codewords @param {number} mask */
function fill(grid, codewords, mask) {
  const size = grid.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const up = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const r = up ? size - 1 - step : step;
      for (const c of [right, right - 1]) {
        if (grid[r][c] !== null) continue;
        const dark = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        grid[r][c] = (dark === 1) !== MASKS[mask](r, c);
        bit += 1;
      }
    }
  }
}

/** How hard a code is to read. @param {boolean[][]} grid */
function penalty(grid) {
  const size = grid.length;
  let sum = 0;
  for (const lines of [grid, grid.map((_, c) => grid.map((row) => row[c]))]) {
    for (const line of lines) {
      const text = line.map(Number).join("");
      for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
      for (const found of ["10111010000", "00001011101"])
        for (let at = text.indexOf(found); at >= 0; at = text.indexOf(found, at + 1)) sum += 40;
    }
  }
  for (let r = 1; r < size; r += 1)
    for (let c = 1; c < size; c += 1)
      if (new Set([grid[r][c], grid[r - 1][c], grid[r][c - 1], grid[r - 1][c - 1]]).size === 1)
        sum += 3;
  const dark = grid.flat().filter(Boolean).length;
  return sum + 10 * Math.floor(Math.abs((dark * 20) / size ** 2 - 10));
}
