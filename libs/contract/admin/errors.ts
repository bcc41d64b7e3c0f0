import { type Asset, toText } from '@reelbook/ledger/money';
import type { RejectionCode } from '@reelbook/ledger/rejections';
import type { Detail, Words } from '../answer-words.ts';

/** The words that operators hear. */

type OperatorCode = Extract<
  RejectionCode,
  | `operator${string}`
  | `adjustment${string}`
  | `no-such-${'operator' | 'player' | 'adjustment' | 'proposal'}`
  | `proposal${string}`
  | `${'' | 'not-'}suspended${'' | '-already'}`
  | 'player-suspended'
  | 'nothing-to-change'
  | 'limit-not-tighter'
  | 'config-moved'
>;

/** An amount of the `asset` that the refusal is about. */
const amount = (d: Detail, minor: Detail[string] | undefined) =>
  typeof minor === 'bigint' ? toText(d.asset as Asset, minor) : '?';

/** What the service of operators refuses by itself. */
export type AdminFailureCode =
  | 'role-too-low'
  | 'link-dead'
  | 'read-model-behind'
  | 'cannot-fold'
  | 'job-running';

export const adminAnswers: Readonly<
  Record<OperatorCode | AdminFailureCode, readonly [status: number, words: Words]>
> = {
  'role-too-low': [
    403,
    (d) => `this needs the role ${d.needs}; yours is ${d.role}. The attempt is on record`,
  ],
  'link-dead': [
    403,
    'this link was used already, or has expired; a new start of the standalone prints new ones',
  ],
  'player-suspended': [
    403,
    'your account is suspended; you can always exchange points for BSM and withdraw',
  ],
  'suspended-already': [409, 'this player is suspended already'],
  'not-suspended': [409, 'this player is not suspended'],
  'no-such-player': [404, 'there is no such player'],
  'nothing-to-change': [409, 'this is already the case; nothing was changed'],
  'limit-not-tighter': [
    422,
    'an operator may only tighten a limit; looser is for the player alone',
  ],
  'adjustment-amount-invalid': [400, 'an adjustment is above or below 0, up to 10^18 minor units'],
  'adjustment-beyond-balance': [
    422,
    (d) => `this would leave less than nothing: the player has ${amount(d, d.ownedMinor)}`,
  ],
  'adjustment-by-proposer': [409, 'you proposed it; another operator must approve it'],
  'adjustment-proposer-revoked': [
    409,
    'who proposed it is no operator any more: refuse it, and propose it again',
  ],
  'adjustments-too-many': [
    429,
    (d) => `${d.max} adjustments of this player wait for approval; decide those first`,
  ],
  'no-such-adjustment': [404, 'no such adjustment waits; it may have been decided already'],
  'config-moved': [
    409,
    (d) => `the configuration was changed meanwhile, it is version ${d.version} now: look again`,
  ],
  'read-model-behind': [503, (d) => `${d.why}; ask again in a moment`],
  'cannot-fold': [409, (d) => `this state cannot be shown: ${d.why}`],
  'job-running': [409, (d) => `${d.why}`],
  'operator-wallet-invalid': [400, 'operator must be the address of a Solana wallet'],
  'operator-unknown': [403, 'this wallet is no operator here. The attempt is on record'],
  'operator-own-wallet': [403, 'this wallet is your own; another operator must do it'],
  'operator-known': [409, (d) => `this wallet is an operator already, as ${d.role}`],
  'no-such-operator': [404, 'this wallet is no operator'],
  'operators-too-many': [409, (d) => `there are ${d.max} operators, which is the most`],
  'operator-allowance-used': [
    409,
    (d) =>
      `one operator alone adjusts at most ${amount(d, d.maxMinor)} a day for all players together, and you have ` +
      `adjusted ${amount(d, d.usedMinor)} today: another operator must do this, or you tomorrow (UTC)`,
  ],
  'no-such-proposal': [404, 'no such proposal is open; it may have been confirmed or withdrawn'],
  'proposal-needs-admin': [403, 'only an admin may confirm this'],
  'proposal-own': [409, 'you proposed or approved this already; another person must confirm it'],
  'proposal-expired': [409, 'this proposal is too old to be confirmed: propose it again'],
  'proposal-waits': [
    409,
    (d) => `this can be confirmed in ${d.seconds} seconds: until then it is shown to all operators`,
  ],
  'proposal-outdated': [
    409,
    'a value that this changes was changed since: withdraw it and propose it again',
  ],
  'proposals-too-many': [429, (d) => `${d.max} proposals are open: confirm or withdraw some first`],
  'operator-last-admin': [409, 'this is the last admin: make another one first'],
};
