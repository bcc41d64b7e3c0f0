/** What a player owns after an event: minor units. Carried by every money event, checked by the audit. */
export interface Balances {
  readonly pointsMinor: bigint;
  readonly tokenMinor: bigint;
}
