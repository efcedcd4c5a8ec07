export function controls() {
  return null;
}
export function key() {
  return false;
}
export function preview() {
  return null;
}
