import type { NothingReason } from './verify-transfer.ts';

/** Why a transaction is no deposit, in words for the player who reported it. */
export const faultWords: Readonly<Record<NothingReason | 'wrong-sender', string>> = {
  failed: 'it failed on the chain and moved nothing',
  'wrong-mint': 'it moved another token, not BSM',
  'wrong-wallet': 'it paid another wallet, not ours',
  'wrong-program': 'it moved a token of another program, not BSM',
  outgoing: 'it brought nothing to our wallet',
  'treasury-account-changed': 'it is no transfer',
  'no-transfer': 'it moved no token',
  'wrong-sender': 'it came from another wallet than yours',
};
