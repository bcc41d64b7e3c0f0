import { timeText } from '@reelbook/ledger/calendar';
import { type Asset, toDecimal, toText } from '@reelbook/ledger/money';
import type { RejectionCode } from '@reelbook/ledger/rejections';
import { depositFaultText } from './english-text.ts';

/** Values of a refusal. */
export type Detail = Readonly<Record<string, string | number | bigint>>;

/** A message, or a function of the detail. */
type Text = string | ((detail: Detail) => string);

/**
 * Codes of all refusals. The clients of the specification match substrings of a message ("insufficient points
 * balance", ...): messages begin with those phrases, unchanged, followed by what to do.
 */
export type FailureCode =
  | RejectionCode
  | 'bad-input'
  | 'bad-json'
  | 'unsupported-media-type'
  | 'body-too-large'
  | 'headers-too-large'
  | 'request-too-slow'
  | 'login-invalid'
  | 'login-other-origin'
  | 'login-too-old'
  | 'login-in-future'
  | 'login-used'
  | 'session-dead'
  | 'not-found'
  | 'faucet-used'
  | 'method-not-allowed'
  | 'idempotency-key-reused'
  | 'too-many-requests'
  | 'too-many-new-players'
  | 'overloaded'
  | 'clock-skew'
  | 'unavailable'
  | 'seed-unavailable'
  | 'internal'
  | 'no-chain'
  | 'decided-otherwise'
  | 'role-too-low'
  | 'link-dead'
  | 'read-model-behind'
  | 'cannot-fold'
  | 'job-running';

/** Codes that the operators' API never returns: it neither plays nor moves an operator's own money. */
type PlayersOnly =
  | `bet-${string}`
  | `${'client-seed' | 'deposit' | 'exchange' | 'nickname' | 'reality-check'}-${string}`
  | `deposits-${string}`
  | `withdrawal-${'amount' | 'address' | 'below' | 'confirmation' | 'insufficient' | 'too-small'}${string}`
  | `withdrawals-${string}`
  | `${string}-limit-reached`
  | `round-${'open' | 'too-soon' | 'differs' | 'voided'}`
  | 'login-unchecked'
  | 'sign-in-policy-locked'
  | 'not-registered'
  | 'too-many-new-players'
  | 'insufficient-points'
  | 'lines-out-of-range'
  | 'game-switched-off'
  | 'rotate-round-open'
  | 'self-excluded'
  | 'player-suspended'
  | 'seed-unavailable'
  | 'no-such-notification'
  | 'no-pending-limit-change'
  | 'faucet-used';
export type OperatorsFailureCode = Exclude<FailureCode, PlayersOnly>;

const points = (value: unknown) =>
  typeof value === 'bigint' ? toDecimal('points', value).replace(/\.00$/, '') : '?';

const amount = (asset: Asset, value: unknown) =>
  typeof value === 'bigint' ? toText(asset, value) : '?';

const time = (value: unknown) => (typeof value === 'number' ? timeText(value) : '?');

const until = (value: unknown) => (value === undefined ? 'for good' : `until ${time(value)}`);

const reached = (kind: string) => (d: Detail) => {
  const [asset, limit, left] =
    kind === 'deposit'
      ? (['token', d.limitTokenMinor, d.leftTokenMinor] as const)
      : (['points', d.limitMinor, d.leftMinor] as const);
  return (
    `this exceeds your own ${kind} limit of ${amount(asset, limit)} per ${d.period}: ` +
    `${amount(asset, left)} left until ${time(d.resetsMs)}`
  );
};
const seconds = (ms: unknown) => (typeof ms === 'number' ? Math.ceil(ms / 100) / 10 : '?');

/** An amount in the `asset` of the refusal. */
const amountOf = (d: Detail, minor: unknown) => amount(d.asset as Asset, minor);

/** HTTP status and English message of every refusal, by its code. */
export const refusals: Readonly<Record<FailureCode, readonly [status: number, text: Text]>> = {
  'not-registered': [401, 'this session has no player; log in again'],
  'insufficient-points': [
    400,
    (d) =>
      `insufficient points balance: you have ${points(d.pointsMinor)} points; this bet needs ` +
      `${points(d.stakeMinor)}. Bet less or exchange BSM for points`,
  ],
  'bet-not-integer': [400, 'bet amount must be an integer number of points'],
  'bet-below-minimum': [
    400,
    (d) => `bet amount below minimum: bet at least ${points(d.minStakeMinor)}`,
  ],
  'bet-above-maximum': [
    400,
    (d) => `bet amount exceeds maximum: bet at most ${points(d.maxStakeMinor)}`,
  ],
  'lines-out-of-range': [400, (d) => `lines must be an integer from 1 to ${d.max}`],
  'game-switched-off': [422, 'this game is switched off for now; your points are unchanged'],
  'round-open': [
    409,
    'you have an open round of this game; continue it, or start again after it has ended',
  ],
  'rotate-round-open': [
    409,
    (d) => `seeds cannot rotate while a round is open: end your round of ${d.game} first`,
  ],
  'round-not-open': [409, 'this round is not open'],
  'round-too-soon': [
    409,
    (d) => `result refused: the round is not over yet; it ends in ${seconds(d.msLeft)} s`,
  ],
  'round-differs': [422, 'result refused: these figures do not match the seed of your round'],
  'round-voided': [409, 'an operator cancelled this round; your points were returned'],
  'void-by-proposer': [409, 'you proposed to void this round; another operator must approve it'],
  'reason-invalid': [400, (d) => `a reason of 1 to ${d.max} characters is needed`],
  'nickname-empty': [400, 'a nickname needs at least one visible character'],
  'nickname-too-long': [400, (d) => `nickname too long: use at most ${d.max} characters`],
  'nickname-not-plain': [
    400,
    'a nickname takes letters, digits, signs and emoji, but no control or invisible characters',
  ],
  'nickname-reserved': [
    400,
    'this nickname could be mistaken for staff of the site; choose another',
  ],
  'client-seed-invalid': [
    400,
    (d) => `a client seed is 1 to ${d.max} visible ASCII characters without a colon or a space`,
  ],
  'config-invalid': [422, (d) => `configuration refused: ${d.fault}`],
  'over-cover': [
    422,
    'the treasury does not cover this amount now; use a smaller amount or try again later',
  ],
  'exchange-switched-off': [422, 'exchange is switched off for now; your balances are unchanged'],
  'exchange-same-asset': [400, 'from_type and to_type must differ'],
  'exchange-amount-invalid': [
    400,
    'exchange amount must be above 0, with at most 2 decimals of points or 9 of BSM',
  ],
  'exchange-insufficient-points': [
    400,
    (d) => `Insufficient points balance! You have ${amount('points', d.pointsMinor)}`,
  ],
  'exchange-insufficient-token': [
    400,
    (d) => `Insufficient token balance! You have ${amount('token', d.tokenMinor)}`,
  ],
  'exchange-too-small': [400, 'exchange amount too small: you would receive 0'],
  'exchange-too-large': [400, 'exchange amount too large; split it into several exchanges'],
  'no-chain': [
    503,
    'the chain cannot be reached, so deposits and withdrawals are unavailable now; play continues',
  ],
  'decided-otherwise': [409, 'a different decision is already recorded'],
  'deposit-amount-invalid': [
    400,
    'Please enter a valid deposit amount: above 0, with at most 9 decimals',
  ],
  'deposit-below-minimum': [
    400,
    (d) =>
      `Please enter a valid deposit amount: it is below minimum deposit of ${amount('token', d.tokenMinor)}`,
  ],
  'deposit-above-maximum': [
    400,
    (d) => `amount exceeds maximum deposit of ${amount('token', d.tokenMinor)} in one transaction`,
  ],
  'deposit-hash-invalid': [
    400,
    'Please enter a valid transaction hash (at least 32 characters): 64 bytes in base58',
  ],
  'deposit-not-ours': [
    400,
    (d) => `this transaction is not your deposit: ${depositFaultText(String(d.fault))}`,
  ],
  'deposits-too-many': [
    429,
    (d) =>
      `${d.max} of your reported transactions are not found on the chain yet; wait until they are`,
  ],
  'withdrawal-amount-invalid': [
    400,
    'withdrawal amount must be above 0, with at most 9 decimals of BSM',
  ],
  'withdrawal-insufficient-token': [
    400,
    (d) => `Insufficient token balance! You have ${amount('token', d.tokenMinor)}`,
  ],
  'withdrawal-too-small': [400, 'withdrawal amount too small: the fee would use all of it'],
  'withdrawal-below-minimum': [
    400,
    (d) => `withdrawal amount is below the minimum withdrawal of ${amount('token', d.tokenMinor)}`,
  ],
  'withdrawal-below-account-minimum': [
    400,
    (d) =>
      `this wallet has no BSM account yet, and creating one has a cost: withdraw at least ${amount('token', d.tokenMinor)}`,
  ],
  'withdrawal-address-invalid': [
    400,
    'to_address is not a valid wallet address: use a Solana wallet, not a token account, mint or program',
  ],
  'withdrawal-address-ours': [400, 'to_address is our own wallet; use one of yours'],
  'withdrawal-confirmation-invalid': [
    400,
    'the confirmation was not signed by your wallet for this amount, this address and this site; nothing was withdrawn',
  ],
  'withdrawal-confirmation-too-old': [
    400,
    'the confirmation is too old; nothing was withdrawn: sign again',
  ],
  'withdrawal-confirmation-in-future': [
    400,
    'the confirmation is from the future: set the clock of your device; nothing was withdrawn',
  ],
  'withdrawal-confirmation-used': [
    409,
    'this confirmation, or a later one, was used already; nothing was withdrawn: sign again',
  ],
  'withdrawals-too-many': [
    429,
    (d) => `${d.max} of your withdrawals are in progress; wait until one is complete`,
  ],
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
  'unmatched-needs-operators': [
    409,
    'two operators must propose the same recipient, and the other proposal has changed; reload it',
  ],
  'unmatched-too-large': [
    422,
    (d) => `no player can be credited more than ${amount('token', d.tokenMinor)} in one deposit`,
  ],
  'unmatched-proposed-already': [
    409,
    'this recipient is proposed already; another operator must propose the same',
  ],
  'unmatched-proposals-too-many': [
    429,
    (d) => `${d.max} proposed recipients wait for a second operator; decide those first`,
  ],
  'role-too-low': [
    403,
    (d) => `this needs the role ${d.needs}; yours is ${d.role}. The attempt is recorded`,
  ],
  'link-dead': [
    403,
    'this link was used already, or has expired; print a new one with: npm run reelbook -- operator link',
  ],
  'player-suspended': [
    403,
    'your account is suspended; you can always exchange points for BSM and withdraw',
  ],
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
  'adjustment-by-proposer': [409, 'you proposed this adjustment; another operator must approve it'],
  'adjustment-proposer-revoked': [
    409,
    'its proposer is no longer an operator; refuse this adjustment and propose it again',
  ],
  'adjustments-too-many': [
    429,
    (d) => `${d.max} adjustments of this player wait for approval; decide those first`,
  ],
  'no-such-adjustment': [
    404,
    'there is no such pending adjustment; it may have been decided already',
  ],
  'config-moved': [
    409,
    (d) => `the configuration has changed to version ${d.version}; reload it and try again`,
  ],
  'preview-outdated': [
    409,
    'the state has changed: another event would be appended; read it again',
  ],
  'read-model-behind': [503, (d) => `${d.why}; try again in a few seconds`],
  'cannot-fold': [409, (d) => `this state cannot be shown: ${d.why}`],
  'job-running': [409, (d) => `${d.why}`],
  'operator-wallet-invalid': [400, 'operator must be the address of a Solana wallet'],
  'operator-unknown': [403, 'this wallet is not an operator. The attempt is recorded'],
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
  'no-such-proposal': [
    404,
    'there is no such open proposal; it may have been confirmed or withdrawn',
  ],
  'proposal-needs-admin': [403, 'only an admin can confirm this'],
  'proposal-own': [409, 'you proposed or approved this already; another person must confirm it'],
  'proposal-expired': [409, 'this proposal has expired; propose it again'],
  'proposal-waits': [
    409,
    (d) => `this can be confirmed in ${d.seconds} seconds; until then all operators can see it`,
  ],
  'proposal-outdated': [
    409,
    'a value in this proposal has changed since; withdraw it and propose it again',
  ],
  'proposals-too-many': [429, (d) => `${d.max} proposals are open; confirm or withdraw some first`],
  'operator-last-admin': [409, 'this is the last admin; appoint another one first'],
  'no-such-notification': [404, 'you have no such notification'],
  'self-excluded': [
    403,
    (d) =>
      `you excluded yourself from play ${until(d.untilMs)}; you can always exchange points for BSM ` +
      `and withdraw`,
  ],
  'exclusion-not-shortened': [
    422,
    (d) =>
      `you excluded yourself ${until(d.untilMs)}; the exclusion can be extended, not shortened`,
  ],
  'reality-check-due': [
    422,
    (d) =>
      `reality check: you have played for ${d.minutes} minutes, staked ${amount('points', d.stakedMinor)} ` +
      `and won ${amount('points', d.wonMinor)}; acknowledge it to continue`,
  ],
  'reality-check-interval-invalid': [
    400,
    (d) =>
      `the interval of the reality check must be an integer from ${d.min} to ${d.max} minutes, or null for none`,
  ],
  'loss-limit-reached': [422, reached('loss')],
  'wager-limit-reached': [422, reached('wager')],
  'deposit-limit-reached': [422, reached('deposit')],
  'limit-amount-invalid': [
    400,
    'a limit must be 0 or more, with at most 2 decimals of points or 9 of BSM, or null to remove it',
  ],
  'no-pending-limit-change': [404, 'this limit has no pending change'],
  'bad-input': [400, (d) => `${d.problem}`],
  'bad-json': [400, 'the body is not valid JSON'],
  'unsupported-media-type': [415, 'send the body as application/json'],
  'body-too-large': [413, (d) => `the body is too large: at most ${d.maxBytes} bytes`],
  'headers-too-large': [431, 'the headers are too large'],
  'request-too-slow': [408, 'the request took too long to arrive; try again'],
  'login-invalid': [
    400,
    'login refused: wallet, message and signature do not match; sign a new message',
  ],
  'login-other-origin': [
    400,
    (d) => `login refused: the signed message is not for this site; log in at ${d.origin}`,
  ],
  'login-unchecked': [
    403,
    'login refused: this wallet accepts only Sign-In With Solana, which the wallet checks; use a wallet that supports it',
  ],
  'sign-in-policy-locked': [
    403,
    'this setting changes only in a session that began with Sign-In With Solana; log in again with a wallet that supports it',
  ],
  'login-too-old': [400, 'login refused: the signed message is too old; sign a new one'],
  'login-in-future': [
    400,
    'login refused: the time of the message is in the future; check your clock',
  ],
  'login-used': [409, 'this signed message was used already; sign a new one'],
  'session-dead': [401, 'your session has ended; log in again'],
  'faucet-used': [
    429,
    (d) => `the faucet can be used once every ${d.minutes} minutes; try again later`,
  ],
  'not-found': [404, (d) => `${d.what}`],
  'method-not-allowed': [405, (d) => `this path accepts ${d.allowed}`],
  'idempotency-key-reused': [
    422,
    'this idempotency key was used with a different request; use a new key',
  ],
  'too-many-requests': [429, 'too many requests; wait a few seconds and try again'],
  'too-many-new-players': [
    429,
    'too many new wallets logged in from your network; try again later, or log in with a wallet that has played here',
  ],
  overloaded: [503, 'the server is too busy; nothing was changed, try again in a few seconds'],
  'clock-skew': [
    503,
    'the clocks of the servers differ; nothing was changed, try again in a few seconds',
  ],
  unavailable: [503, 'the ledger cannot be reached right now; try again in a few seconds'],
  'seed-unavailable': [503, 'your server seed cannot be opened; nothing was drawn or staked'],
  internal: [
    500,
    'internal error; the outcome is unknown. Check your balance before you try again',
  ],
};
