import { type Asset, toText } from '@reelbook/ledger/money';
import type { RejectionCode } from '@reelbook/ledger/rejections';
import { refusals as english, fillRefusal } from './english.ts';

/** Values of a refusal. */
export type Detail = Readonly<Record<string, string | number | bigint>>;

/** A message, or a function of the detail. */
type Text = string | ((detail: Detail) => string);

const amount = (asset: Asset, value: unknown) =>
  typeof value === 'bigint' ? toText(asset, value) : '?';

/** An amount in the `asset` of the refusal. */
const amountOf = (d: Detail, minor: unknown) => amount(d.asset as Asset, minor);

type EnglishCode = keyof typeof english;

type Entry = readonly [status: number, text?: Text];

/** HTTP status of every refusal, by its code, and the English message of those that no player gets. */
const table = {
  'not-registered': [401],
  'insufficient-points': [400],
  'bet-not-integer': [400],
  'bet-below-minimum': [400],
  'bet-above-maximum': [400],
  'lines-out-of-range': [400],
  'game-switched-off': [422],
  'round-open': [409],
  'rotate-round-open': [409],
  'round-not-open': [409],
  'round-too-soon': [409],
  'round-differs': [422],
  'round-voided': [409],
  'reason-invalid': [400, (d) => `a reason of 1 to ${d.max} characters is needed`],
  'nickname-empty': [400],
  'nickname-too-long': [400],
  'nickname-not-plain': [400],
  'nickname-reserved': [400],
  'client-seed-invalid': [400],
  'config-invalid': [422, (d) => `configuration refused: ${d.fault}`],
  'over-cover': [422],
  'exchange-switched-off': [422],
  'exchange-same-asset': [400],
  'exchange-amount-invalid': [400],
  'exchange-insufficient-points': [400],
  'exchange-insufficient-token': [400],
  'exchange-too-small': [400],
  'terms-changed': [422],
  'exchange-too-large': [400],
  'no-chain': [503],
  'decided-otherwise': [409, 'a different decision is already recorded'],
  'deposit-amount-invalid': [400],
  'deposit-below-minimum': [400],
  'deposit-above-maximum': [400],
  'deposit-hash-invalid': [400],
  'deposit-not-ours': [400],
  'deposits-too-many': [429],
  'withdrawal-amount-invalid': [400],
  'withdrawal-insufficient-token': [400],
  'withdrawal-too-small': [400],
  'withdrawal-below-minimum': [400],
  'withdrawal-below-account-minimum': [400],
  'withdrawal-address-invalid': [400],
  'withdrawal-address-foreign': [400],
  'withdrawal-address-ours': [400],
  'withdrawal-confirmation-invalid': [400],
  'withdrawal-confirmation-too-old': [400],
  'withdrawal-confirmation-in-future': [400],
  'withdrawal-confirmation-used': [409],
  'withdrawals-too-many': [429],
  'withdrawals-paused': [422, 'withdrawals are paused for now; existing requests wait'],
  'no-such-withdrawal': [404, 'there is no such open withdrawal'],
  'withdrawal-reason-missing': [400, (d) => `a reason of 1 to ${d.max} characters is needed`],
  'withdrawal-needs-operators': [422, 'this withdrawal needs the approval of two operators'],
  'withdrawal-not-waiting': [
    409,
    (d) => `this withdrawal does not wait for approval: it is ${d.stage}`,
  ],
  'withdrawal-approved-already': [
    409,
    'you have approved this withdrawal already; another operator must approve it too',
  ],
  'withdrawal-on-its-way': [
    409,
    'this withdrawal is signed and may be on the chain already; wait for its result',
  ],
  'withdrawal-not-approved': [409, (d) => `this withdrawal cannot be signed: it is ${d.stage}`],
  'withdrawal-not-signed': [
    409,
    (d) => `this withdrawal has no such open attempt: it is ${d.stage}`,
  ],
  'withdrawal-not-expired': [
    409,
    (d) => `this attempt may still land: it is valid to block ${d.lastValidBlockHeight}`,
  ],
  'no-such-unmatched-deposit': [404, 'there is no such unmatched deposit'],
  'unmatched-too-large': [
    422,
    (d) => `no player can be credited more than ${amount('token', d.tokenMinor)} in one deposit`,
  ],
  'role-too-low': [
    403,
    (d) => `this needs the role ${d.needs}; yours is ${d.role}. The attempt is recorded`,
  ],
  'link-dead': [
    403,
    'this link was used already, or has expired; print a new one with: npm run reelbook -- operator link',
  ],
  'player-suspended': [403],
  'suspended-already': [409, 'this player is suspended already'],
  'not-suspended': [409, 'this player is not suspended'],
  'no-such-player': [404, 'there is no such player'],
  'nothing-to-change': [409, 'this is already the case; nothing was changed'],
  'limit-not-tighter': [422, 'an operator can only lower a limit; only the player can raise it'],
  'adjustment-amount-invalid': [
    400,
    'an adjustment must not be 0, and at most 10^18 minor units in either direction',
  ],
  'adjustment-beyond-balance': [
    422,
    (d) => `this would make the balance negative: the player has ${amountOf(d, d.ownedMinor)}`,
  ],
  'config-moved': [
    409,
    (d) => `the configuration has changed to version ${d.version}; reload it and try again`,
  ],
  'preview-outdated': [
    409,
    'the state has changed: another event would be appended; read it again',
  ],
  'state-differs': [
    409,
    (d) =>
      `the stored state of ${d.stream} differs from its events; run an audit, nothing is changed`,
  ],
  'no-such-finding': [404, 'there is no such open finding'],
  'read-model-behind': [503, (d) => `${d.why}; try again in a few seconds`],
  'cannot-fold': [409, (d) => `this state cannot be shown: ${d.why}`],
  'job-running': [409, (d) => `${d.why}`],
  'operator-wallet-invalid': [400, 'operator must be the address of a Solana wallet'],
  'operator-unknown': [403, 'this wallet is not an operator. The attempt is recorded'],
  'operator-may-not-act': [403, 'this wallet is not an operator whose role allows it'],
  'operator-own-wallet': [403, 'this wallet is your own; another operator must do it'],
  'operator-known': [409, (d) => `this wallet is an operator already, with the role ${d.role}`],
  'no-such-operator': [404, 'this wallet is not an operator'],
  'operator-name-invalid': [
    400,
    (d) =>
      `a name takes 1 to ${d.max} letters, digits, signs and emoji, and no invisible characters`,
  ],
  'operator-name-reserved': [400, 'this name could be mistaken for a role; choose another'],
  'operator-name-taken': [409, 'another operator has this name, or one that looks the same'],
  'operator-name-not-own': [403, 'only the operator or an admin sets this name'],
  'operators-too-many': [409, (d) => `there are already ${d.max} operators, the maximum`],
  'operator-allowance-used': [
    409,
    (d) =>
      `you can adjust at most ${amountOf(d, d.maxMinor)} per day across all players, and you have adjusted ` +
      `${amountOf(d, d.usedMinor)} today; ask another operator, or try again tomorrow (UTC)`,
  ],
  'operator-actions-used': [
    429,
    'you have used up your actions of a day; try again later, or ask another operator',
  ],
  'no-such-proposal': [
    404,
    'there is no such open proposal; it may have been executed or withdrawn',
  ],
  'needs-two-people': [409, 'this takes two people: it must be proposed'],
  'proposed-already': [409, (d) => `this is proposed already, as number ${d.number}`],
  'proposal-needs-role': [403, (d) => `this needs the role ${d.needs}`],
  'proposal-approved': [409, 'this proposal is approved; it is being executed'],
  'proposal-not-approved': [409, 'this proposal has too few approvals'],
  'proposal-revoked': [409, 'one of its people has lost the role; propose it again'],
  'proposal-own': [409, 'you proposed or approved this already; another person must approve it'],
  'proposal-expired': [409, 'this proposal has expired; propose it again'],
  'proposal-waits': [
    409,
    (d) => `this can be approved in ${d.seconds} seconds; until then all operators can see it`,
  ],
  'proposal-outdated': [
    409,
    'a value in this proposal has changed since; withdraw it and propose it again',
  ],
  'proposals-too-many': [
    429,
    (d) => `${d.max} proposals of this kind are open; approve or withdraw some first`,
  ],
  'operator-last-admin': [409, 'this is the last admin; appoint another one first'],
  'no-such-notification': [404],
  'self-excluded': [403],
  'exclusion-not-shortened': [422],
  'reality-check-due': [422],
  'reality-check-interval-invalid': [400],
  'loss-limit-reached': [422],
  'wager-limit-reached': [422],
  'deposit-limit-reached': [422],
  'limit-amount-invalid': [400],
  'no-pending-limit-change': [404],
  'bad-input': [400, (d) => `${d.problem}`],
  'bad-json': [400],
  'unsupported-media-type': [415],
  'body-too-large': [413],
  'headers-too-large': [431],
  'request-too-slow': [408],
  'login-invalid': [400],
  'login-other-origin': [400],
  'login-too-old': [400],
  'login-in-future': [400],
  'login-used': [409],
  'session-dead': [401],
  'faucet-used': [429],
  'not-found': [404, (d) => `${d.what}`],
  'method-not-allowed': [405, (d) => `this path accepts ${d.allowed}`],
  'idempotency-key-reused': [422],
  'too-many-requests': [429],
  'too-many-new-players': [429],
  'too-many-free-acts': [429],
  overloaded: [503],
  'clock-skew': [503],
  unavailable: [503],
  'seed-unavailable': [503],
  internal: [500],
} as const satisfies Record<Exclude<RejectionCode, EnglishCode>, readonly [number, Text]> &
  Record<EnglishCode, Entry> &
  Record<string, Entry>;

/** Codes of all refusals. */
export type FailureCode = keyof typeof table;
export const refusals: Readonly<Record<FailureCode, Entry>> = table;

export const statusOf = (code: FailureCode): number => refusals[code][0];

/** The English message; a figure that the detail lacks is `?`. */
export function messageOf(code: FailureCode, detail: Detail): string {
  const [, text] = refusals[code];
  if (text === undefined) return fillRefusal(english[code as EnglishCode], detail);
  return typeof text === 'string' ? text : text(detail);
}
