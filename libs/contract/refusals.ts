import { timeText } from '@reelbook/ledger/calendar';
import { type Asset, toDecimal, toText } from '@reelbook/ledger/money';
import type { RejectionCode } from '@reelbook/ledger/rejections';

/** What a refusal says of itself. */
export type Detail = Readonly<Record<string, string | number | bigint>>;

/** The words of an answer, or how they follow from the detail. */
type Text = string | ((detail: Detail) => string);

/**
 * The one place where a refusal becomes an HTTP status and words. The specification's clients match substrings of
 * the message ("insufficient points balance", ...), so those phrases stand first and unchanged; the way out follows.
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
  | 'login-too-old'
  | 'login-in-future'
  | 'login-used'
  | 'session-dead'
  | 'not-found'
  | 'faucet-used'
  | 'method-not-allowed'
  | 'idempotency-key-reused'
  | 'too-many-requests'
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

/** Codes that the operators' API never returns: it plays no game, and moves no one's own money. */
type ForPlayersAlone =
  | `bet-${string}`
  | `${'client-seed' | 'deposit' | 'exchange' | 'nickname' | 'reality-check'}-${string}`
  | `deposits-${string}`
  | `withdrawal-${'amount' | 'address' | 'below' | 'insufficient' | 'too-small'}${string}`
  | `withdrawals-${string}`
  | `${string}-limit-reached`
  | `round-${'open' | 'too-soon' | 'differs' | 'voided'}`
  | 'not-registered'
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
export type OperatorsFailureCode = Exclude<FailureCode, ForPlayersAlone>;

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
    `your own ${kind} limit of ${amount(asset, limit)} a ${d.period} stands in the way: ` +
    `${amount(asset, left)} left until ${time(d.resetsMs)}`
  );
};
const seconds = (ms: unknown) => (typeof ms === 'number' ? Math.ceil(ms / 100) / 10 : '?');

/** An amount of the `asset` that the refusal is about. */
const amountOf = (d: Detail, minor: unknown) => amount(d.asset as Asset, minor);

/** Status and English words of every refusal, by its code. */
export const refusals: Readonly<Record<FailureCode, readonly [status: number, words: Text]>> = {
  'not-registered': [401, 'this session has no player; log in again'],
  'insufficient-points': [
    400,
    (d) =>
      `insufficient points balance: you have ${points(d.pointsMinor)} points; this bet needs ` +
      `${points(d.stakeMinor)}. Bet less or exchange BSM for points`,
  ],
  'bet-not-whole': [400, 'bet amount must be a whole number of points'],
  'bet-below-minimum': [
    400,
    (d) => `bet amount below minimum: bet at least ${points(d.minStakeMinor)}`,
  ],
  'bet-above-maximum': [
    400,
    (d) => `bet amount exceeds maximum: bet at most ${points(d.maxStakeMinor)}`,
  ],
  'lines-out-of-range': [400, (d) => `lines must be a whole number from 1 to ${d.max}`],
  'game-switched-off': [422, 'this game is switched off for now; your points are untouched'],
  'round-open': [
    409,
    'this game has an open round of yours; go on with it, or start again when it has ended',
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
  'round-differs': [422, 'result refused: these figures are not what the seed of your round gives'],
  'round-voided': [409, 'this round was cancelled by an operator; your points came back'],
  'void-by-proposer': [409, 'you proposed to void this round: another operator has to approve it'],
  'reason-invalid': [400, (d) => `a reason of 1 to ${d.max} characters is needed`],
  'nickname-empty': [400, 'a nickname needs at least one visible character'],
  'nickname-too-long': [400, (d) => `nickname too long: use at most ${d.max} characters`],
  'nickname-not-plain': [
    400,
    'a nickname takes letters, digits, signs and emoji, but no control or invisible characters',
  ],
  'client-seed-invalid': [
    400,
    (d) => `a client seed is 1 to ${d.max} visible ASCII characters without a colon or a space`,
  ],
  'config-invalid': [422, (d) => `configuration refused: ${d.fault}`],
  'over-cover': [422, 'the treasury does not cover this now; try a smaller amount or later'],
  'exchange-switched-off': [422, 'exchange is switched off for now; your balances are untouched'],
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
  'exchange-too-small': [400, 'exchange amount too small: it would give nothing'],
  'exchange-too-large': [400, 'exchange amount too large for one exchange; make several'],
  'no-chain': [
    503,
    'the chain cannot be reached, so BSM can neither come nor go now; play goes on',
  ],
  'decided-otherwise': [409, 'this was decided otherwise before'],
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
  'deposit-not-ours': [400, (d) => `this transaction is no deposit of yours: ${d.fault}`],
  'deposits-too-many': [
    429,
    (d) => `${d.max} of your reported transactions are still looked for; wait until they are found`,
  ],
  'withdrawal-amount-invalid': [
    400,
    'withdrawal amount must be above 0, with at most 9 decimals of BSM',
  ],
  'withdrawal-insufficient-token': [
    400,
    (d) => `Insufficient token balance! You have ${amount('token', d.tokenMinor)}`,
  ],
  'withdrawal-too-small': [400, 'withdrawal amount too small: the fee would take all of it'],
  'withdrawal-below-minimum': [
    400,
    (d) => `withdrawal amount is below the minimum withdrawal of ${amount('token', d.tokenMinor)}`,
  ],
  'withdrawal-below-account-minimum': [
    400,
    (d) =>
      `this wallet has no BSM account yet, and making one costs: withdraw at least ${amount('token', d.tokenMinor)}`,
  ],
  'withdrawal-address-invalid': [
    400,
    'to_address is not a valid wallet address: a Solana wallet is needed, no token account, mint or program',
  ],
  'withdrawal-address-ours': [400, 'to_address is our own wallet; name one of yours'],
  'withdrawals-too-many': [
    429,
    (d) => `${d.max} of your withdrawals are under way; wait until one is done`,
  ],
  'withdrawals-paused': [422, 'withdrawals are paused for now; what was asked for waits'],
  'no-such-withdrawal': [404, 'there is no such withdrawal under way'],
  'withdrawal-reason-missing': [400, (d) => `a reason of 1 to ${d.max} characters is needed`],
  'withdrawal-needs-operators': [422, 'this withdrawal is for two operators to approve'],
  'withdrawal-not-waiting': [409, (d) => `this withdrawal waits for no approval: it is ${d.stage}`],
  'withdrawal-approved-already': [409, 'you have approved it; another operator must as well'],
  'withdrawal-on-its-way': [
    409,
    'this withdrawal is signed and may be on its way; it must end first',
  ],
  'withdrawal-not-approved': [409, (d) => `this withdrawal cannot be signed: it is ${d.stage}`],
  'withdrawal-not-signed': [
    409,
    (d) => `no such attempt of this withdrawal is open: it is ${d.stage}`,
  ],
  'withdrawal-not-expired': [
    409,
    (d) => `this attempt may still land: it is valid to block ${d.lastValidBlockHeight}`,
  ],
  'no-such-unmatched-deposit': [404, 'there is no such unmatched deposit'],
  'unmatched-needs-operators': [
    409,
    'this takes two operators who say the same, and what the other said has changed: look again',
  ],
  'unmatched-proposed-already': [
    409,
    'this is proposed already; another operator must say the same',
  ],
  'unmatched-proposals-too-many': [
    429,
    (d) => `${d.max} resolutions wait for a second operator; decide those first`,
  ],
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
    (d) => `this would leave less than nothing: the player has ${amountOf(d, d.ownedMinor)}`,
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
      `one operator alone adjusts at most ${amountOf(d, d.maxMinor)} a day for all players together, and you have ` +
      `adjusted ${amountOf(d, d.usedMinor)} today: another operator must do this, or you tomorrow (UTC)`,
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
  'no-such-notification': [404, 'you have no such notification'],
  'self-excluded': [
    403,
    (d) =>
      `you excluded yourself from play ${until(d.untilMs)}; you can always exchange points for BSM ` +
      `and withdraw`,
  ],
  'exclusion-not-shortened': [
    422,
    (d) => `you excluded yourself ${until(d.untilMs)}; it can be made longer, not shorter`,
  ],
  'reality-check-due': [
    422,
    (d) =>
      `reality check: you have played for ${d.minutes} minutes, staked ${amount('points', d.stakedMinor)} ` +
      `and won ${amount('points', d.wonMinor)}; acknowledge it to go on`,
  ],
  'reality-check-interval-invalid': [
    400,
    (d) => `a reality check comes every ${d.min} to ${d.max} whole minutes, or never`,
  ],
  'loss-limit-reached': [422, reached('loss')],
  'wager-limit-reached': [422, reached('wager')],
  'deposit-limit-reached': [422, reached('deposit')],
  'limit-amount-invalid': [
    400,
    'a limit is 0 or more, with at most 2 decimals of points or 9 of BSM, or null to remove it',
  ],
  'no-pending-limit-change': [404, 'no change of this limit is waiting'],
  'bad-input': [400, (d) => `${d.problem}`],
  'bad-json': [400, 'the body is not valid JSON'],
  'unsupported-media-type': [415, 'send the body as application/json'],
  'body-too-large': [413, (d) => `the body is too large: at most ${d.maxBytes} bytes`],
  'headers-too-large': [431, 'the headers are too large'],
  'request-too-slow': [408, 'the request took too long to arrive; try again'],
  'login-invalid': [400, 'login refused: wallet, message and signature do not belong together'],
  'login-too-old': [400, 'login refused: the signed message is too old; sign a new one'],
  'login-in-future': [400, 'login refused: the message is from the future; check your clock'],
  'login-used': [409, 'this signed message was used already; sign a new one'],
  'session-dead': [401, 'your session has ended; log in again'],
  'faucet-used': [429, (d) => `the faucet gives once in ${d.minutes} minutes; come back later`],
  'not-found': [404, (d) => `${d.what}`],
  'method-not-allowed': [405, (d) => `this path takes ${d.allowed}`],
  'idempotency-key-reused': [
    422,
    'this idempotency key was used with another request; use a new key for a new one',
  ],
  'too-many-requests': [429, 'too many requests; wait a moment and try again'],
  overloaded: [503, 'too busy right now; nothing was done, try again in a moment'],
  'clock-skew': [
    503,
    'the clocks of this site do not agree; nothing was done, try again in a moment',
  ],
  unavailable: [503, 'the ledger cannot be reached right now; try again in a moment'],
  'seed-unavailable': [503, 'your server seed cannot be opened; nothing was drawn or staked'],
  internal: [500, 'something went wrong on our side; nothing more is known to you or to us yet'],
};
