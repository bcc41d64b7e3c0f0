export function WithdrawalPage() {
  return null;
}
