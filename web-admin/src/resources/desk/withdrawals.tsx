export function Withdrawals() {
  return null;
}
