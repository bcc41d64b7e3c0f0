export function Switches() {
  return null;
}
