/** Why a reported transaction is no deposit of the player, or waits (`unconfirmed`): the codes. The texts are in libs/contract. */
export const DEPOSIT_FAULTS = [
  'failed',
  'wrong-mint',
  'wrong-wallet',
  'wrong-program',
  'outgoing',
  'treasury-account-changed',
  'no-transfer',
  'wrong-sender',
  'not-found',
  'expired',
  'before-opening',
  'unconfirmed',
] as const;

export type DepositFault = (typeof DEPOSIT_FAULTS)[number];

export const isDepositFault = (text: unknown): text is DepositFault =>
  (DEPOSIT_FAULTS as readonly unknown[]).includes(text);
