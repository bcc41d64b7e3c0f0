export function Operators() {
  return null;
}
