import { timeText } from '@reelbook/ledger/calendar';
import { type Asset, toDecimal, toNumber, toText } from '@reelbook/ledger/money';
import type { Rejection, RejectionCode } from '@reelbook/ledger/rejections';
import { type AdminFailureCode, adminAnswers } from './admin/errors.ts';
import type { Detail, Words } from './answer-words.ts';
import type { Envelope, ErrorData, Figure } from './common.ts';
import { paymentAnswers } from './payment-errors.ts';

/**
 * The one place where a refusal becomes an HTTP status and words. The specification's clients match substrings of
 * the message ("insufficient points balance", ...), so those phrases stand first and unchanged; the way out follows.
 */
export type FailureCode =
  | RejectionCode
  | AdminFailureCode
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
  | 'unavailable'
  | 'seed-unavailable'
  | 'internal';

/** What the operators' API refuses nobody with: it plays no game, and moves no one's own money. */
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

export interface Failure {
  readonly failed: Exclude<FailureCode, RejectionCode>;
  readonly detail?: Readonly<Record<string, string | number>>;
}

export interface Answer {
  readonly status: number;
  readonly body: Envelope<ErrorData>;
  /** When to try again, for 429 and 503. */
  readonly retryAfterS: number | null;
}

const RETRY_AFTER_S = 2;
const NAME_SHOWN_MAX = 40;

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

const answers: Readonly<Record<FailureCode, readonly [status: number, words: Words]>> = {
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
  ...paymentAnswers,
  ...adminAnswers,
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
  unavailable: [503, 'the book cannot be reached right now; try again in a moment'],
  'seed-unavailable': [503, 'your server seed cannot be opened; nothing was drawn or staked'],
  internal: [500, 'something went wrong on our side; nothing more is known to you or to us yet'],
};

/** The answer to a refusal of the rules or to any other failure. Amounts in `data` are whole units as numbers. */
export function answerTo(cause: Rejection | Failure, retryAfterS: number = RETRY_AFTER_S): Answer {
  const error = 'failed' in cause ? cause.failed : cause.rejected;
  const detail: Detail = cause.detail ?? {};
  const [status, words] = answers[error];
  const message = typeof words === 'string' ? words : words(detail);
  return {
    status,
    body: { code: status, message, data: { error, ...figures(detail) } },
    retryAfterS: status === 429 || status === 503 ? retryAfterS : null,
  };
}

/**
 * `pointsMinor: 400n` becomes `points: 4`: the player API speaks whole units. What ends in `tokenMinor` is in token; where
 * the detail names an `asset`, amounts are of it and exact, as operators see them. What ends in `Ms` is a time, shown as
 * `resets_at`.
 */
function figures(detail: Detail): Record<string, Figure> {
  const shown: Record<string, Figure> = {};
  for (const [key, value] of Object.entries(detail)) {
    if (typeof value === 'number' && key.endsWith('Ms')) {
      shown[snake(key.replace(/Ms$/, 'At'))] = new Date(value).toISOString();
    } else if (typeof value !== 'bigint') shown[key] = value;
    else if (typeof detail.asset === 'string') {
      shown[snake(key.replace(/Minor$/, ''))] = { asset: detail.asset, minor: value.toString() };
    } else {
      const asset = /tokenMinor$/i.test(key) ? 'token' : 'points';
      shown[snake(key.replace(/Minor$/, ''))] = toNumber(asset, value);
    }
  }
  return shown;
}

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One fault that a schema check found, as `Errors` of a compiled TypeBox schema reports it. */
export interface SchemaFault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** Plain words that name the field: `bet_amount must be a number`. `part` is body, query, path or headers. */
export function wordsOf(faults: readonly SchemaFault[], part: string): string {
  // A field that must not be there is reported twice; only the second time by its name.
  const fault = faults.find(({ keyword }) => keyword !== 'boolean');
  if (!fault) return `the ${part} is not understood`;
  const field = fault.instancePath.slice(1).replaceAll('/', '.') || `the ${part}`;
  const params = fault.params as Readonly<Record<string, unknown>>;
  switch (fault.keyword) {
    case 'required':
      return `${first(params.requiredProperties)} is missing`;
    case 'additionalProperties':
      return `${first(params.additionalProperties)} is not a field of this call`;
    case 'type':
      return `${field} must be ${[params.type].flat().map(String).map(article).join(' or ')}`;
    case 'minimum':
      return `${field} must be at least ${params.limit}`;
    case 'maximum':
      return `${field} must be at most ${params.limit}`;
    case 'maxLength':
      return `${field} must have at most ${params.limit} characters`;
    case 'enum':
      return `${field} must be one of ${(params.allowedValues as string[]).join(', ')}`;
    case 'pattern':
      return `${field} has characters or a length that it must not have`;
    default:
      return `${field} ${fault.message}`;
  }
}

const articles: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  number: 'a number',
  integer: 'a whole number',
  string: 'a text',
};

/** Names are the client's own: shown short and without control characters. */
const first = (names: unknown) =>
  JSON.stringify(String((names as readonly unknown[])[0]).slice(0, NAME_SHOWN_MAX)).slice(1, -1);

const article = (type: string) => articles[type] ?? type;
