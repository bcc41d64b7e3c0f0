export function Unmatched() {
  return null;
}
