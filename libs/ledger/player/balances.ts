/** The balances of a player after an event, in minor units. Every money event contains them; the audit checks them. */
export interface Balances {
  readonly pointsMinor: bigint;
  readonly tokenMinor: bigint;
}
