import { assert } from '@reelbook/ledger/assert';
import { type Period, timeText } from '@reelbook/ledger/calendar';
import type { ConfigFault, ConfigFaultCode } from '@reelbook/ledger/config/fault-codes';
import { type DepositFault, isDepositFault } from '@reelbook/ledger/deposit-faults';
import type { Fact, Facts } from '@reelbook/ledger/descriptor';
import type { Hold, HoldCode } from '@reelbook/ledger/holds';
import { type Asset, toText } from '@reelbook/ledger/money';
import type {
  Fact as NoticeFact,
  NoticeKind,
  Notification,
} from '@reelbook/ledger/player/notice-facts';
import type { LimitKind } from '@reelbook/ledger/player/protection-events';
import { factText } from '@reelbook/ledger/sentences';

/**
 * English texts that servers and apps share, by the codes of the ledger. Servers fill them in (english-text.ts); the player
 * app has them in its catalogue, with the Chinese texts in the adjacent file. `{{name}}` is the fact of that name.
 */

/** Notifications of players. */
export const notices = {
  welcome: { title: 'Welcome to Reelbook', content: 'You start with {{points}} to play with.' },
  'big-win': { title: 'Big win', content: 'You won {{won}} with {{bet}}.' },
  'seeds-rotated': {
    title: 'Seeds rotated',
    content:
      'The seed of your latest rounds is revealed. Rounds that can be verified now: {{nonces}}.',
  },
  'round-cancelled': {
    title: 'Round cancelled',
    content: 'An operator cancelled your round; {{back}} was returned. Reason: {{reason}}',
  },
  exchanged: { title: 'Exchange done', content: '{{gave}} became {{got}}.' },
  'self-excluded': {
    title: 'Self-exclusion',
    content: 'You cannot bet or deposit until {{until}}. You can always withdraw.',
  },
  'self-excluded-for-good': {
    title: 'Self-exclusion',
    content: 'You cannot bet or deposit for good. You can always withdraw.',
  },
  excluded: {
    title: 'Excluded from play',
    content:
      'An operator excluded you. You cannot bet or deposit until {{until}}. You can always withdraw. Reason: {{reason}}',
  },
  'excluded-for-good': {
    title: 'Excluded from play',
    content:
      'An operator excluded you. You cannot bet or deposit for good. You can always withdraw. Reason: {{reason}}',
  },
  'limit-set': {
    title: 'Limit set',
    content:
      'An operator set you a limit. {{limit}}: at most {{amount}} within {{period}}. Reason: {{reason}}',
  },
  suspended: {
    title: 'Account suspended',
    content: 'You cannot bet or deposit for now. You can always withdraw. Reason: {{reason}}',
  },
  reinstated: { title: 'Account reinstated', content: 'You can play again. Reason: {{reason}}' },
  'balance-raised': {
    title: 'Balance adjusted',
    content: 'An operator added {{amount}} to your balance. Reason: {{reason}}',
  },
  'balance-lowered': {
    title: 'Balance adjusted',
    content: 'An operator took {{amount}} from your balance. Reason: {{reason}}',
  },
  'deposit-credited': {
    title: 'Deposit credited',
    content: '{{amount}} arrived and can be used.',
  },
  'withdrawal-requested': {
    title: 'Withdrawal requested',
    content: '{{gross}} set aside: {{net}} will be sent to {{to}}, the fee is {{fee}}.',
  },
  'withdrawal-approved': { title: 'Withdrawal approved', content: 'It will be sent next.' },
  'withdrawal-sent': { title: 'Withdrawal sent', content: 'It is on its way to the chain.' },
  'withdrawal-paid': {
    title: 'Withdrawal paid',
    content: '{{net}} arrived. The payment is final.',
  },
  'withdrawal-paid-to': {
    title: 'Withdrawal paid',
    content: '{{net}} arrived at {{to}}. The payment is final.',
  },
  'withdrawal-returned': {
    title: 'Withdrawal returned',
    content: '{{back}} are yours again: {{reason}}',
  },
} satisfies Record<NoticeKind, { title: string; content: string }>;

/** Names of limits and their periods, for notifications. */
export const limitNames = {
  kind: { loss: 'Losses', wager: 'Stakes', deposit: 'Deposits' },
  period: { day: 'a day', week: 'a week', month: 'a month' },
} satisfies { kind: Record<LimitKind, string>; period: Record<Period, string> };

/** Why a withdrawal is on hold. */
export const holds = {
  paused: 'withdrawals are paused by the operators',
  'open-finding': 'awaiting review by the operators',
  'needs-operators': 'awaiting approval, {{approvals}} of {{needed}}',
  'not-confirmed':
    "the address is not the player's wallet and not confirmed: awaiting approval, {{approvals}} of {{needed}}",
  'state-differs': 'the stored state differs from the ledger; operators check it',
  'player-hour-used': "this player's hourly limit for automatic approval is used up",
  'player-day-used': "this player's 24-hour limit for automatic approval is used up",
  'player-count-used': "this player's hourly number of automatic payments is used up",
  'hour-used': 'the hourly limit of all players for automatic approval is used up',
  'day-used': 'the 24-hour limit of all players for automatic approval is used up',
  'no-key': 'this cashier does not have the treasury key',
  'not-taken': 'the blockchain rejected it {{attempts}} times; an operator must check it',
  integrity: 'a check of the database failed; an operator must check it',
  'treasury-short': 'the treasury holds too little BSM now',
  'treasury-unexplained':
    "the treasury's balance is not explained by its transactions; an operator must check it",
  'treasury-low-on-sol': 'the treasury is below its minimum SOL balance',
  'end-uncertain': 'it expired, but may have landed; an operator must check it',
  'may-still-land':
    'the previous attempt may have landed or may still land; it is not signed again',
} satisfies Record<HoldCode, string>;

/** Why a reported transaction is no deposit of the player, or waits. */
export const depositFaults = {
  failed: 'it failed on the chain and moved nothing',
  'wrong-mint': 'it moved another token, not BSM',
  'wrong-wallet': 'it paid another wallet, not ours',
  'wrong-program': 'it moved a token of another program, not BSM',
  outgoing: 'it brought nothing to our wallet',
  'treasury-account-changed': 'it is no transfer',
  'no-transfer': 'it moved no token',
  'wrong-sender': 'it came from another wallet than yours',
  'not-found': 'it was not found on the chain',
  expired: 'it did not reach the chain in time and moved nothing',
  'before-opening': 'it landed before this ledger was opened',
  unconfirmed: 'our sources of the chain do not all confirm it yet; it is checked again',
} satisfies Record<DepositFault, string>;

/** Risk flags of a withdrawal. */
export const risks = {
  'state-differs': 'its stored row differs from the ledger: run an audit; it cannot be approved',
  'open-finding': '{{count}} open findings of audits: not paid automatically',
  'no-play': 'the player has placed no bet',
  'new-player': 'registered less than 24 hours before',
  luck: 'won more in {{rounds}} rounds than chance allows 1 of {{oneIn}} players, by the last audit',
  velocity: '{{asked}} requested within 24 hours',
  'attempt-failed': 'attempt {{attempt}} is a retry or failed',
  large: 'more than {{most}}: two operators must approve',
  'other-address': "not the player's own address",
  first: 'first withdrawal of this player',
  'new-address': 'first withdrawal to this address',
  'on-hold': '{{why}}',
};

/** Why a configuration, or a change of it, is refused. */
export const configFaults = {
  'reason-invalid': 'a reason of 1 to {{max}} characters is needed',
  'not-configured': 'nothing is configured yet: start Reelbook once',
  'nothing-changed': 'this changes nothing',
  'already-set': '{{path}} is {{value}} already',
  'setting-unknown': 'there is no {{path}}; there are {{known}}',
  'setting-value-invalid': '{{path}} cannot be "{{value}}"',
  'token-address-fixed': 'the mint and the treasury of a ledger cannot be changed from the console',
  'welcome-points-out-of-range': 'welcome points must not be negative or too large',
  'welcome-points-stay-zero':
    'a ledger of real money has no welcome points: points have a value there, and would be given away',
  'welcome-points-local-only': 'welcome points are for the local chain only',
  'big-win-multiple-out-of-range': 'the big win multiple must be from 1 to {{max}}',
  'big-win-minimum-out-of-range': 'the big win minimum must not be negative or too large',
  'reality-check-out-of-range':
    'the interval of reality checks must be {{min}} to {{max}} minutes, or null for none',
  'adjustment-limit-out-of-range':
    'amounts that one operator may adjust alone must not be negative or too large',
  'rate-invalid': 'a rate must be a fraction of integers from 1 to {{max}}',
  'rates-gain':
    'the exchange rates multiply to more than 1: exchanging there and back would make money',
  'withdrawal-fee-invalid': 'the withdrawal fee must be a fraction from 0 to less than 1',
  'withdrawal-limit-out-of-range': 'limits of withdrawals must not be negative or too large',
  'withdrawal-count-invalid':
    'the number of payments to a player within an hour must be an integer from 0',
  'low-water-mark-invalid': 'the low-water mark must be an integer of lamports from 0',
  'deposit-minimum-invalid': 'the smallest deposit must be above 0 and not above the largest',
  'dust-bound-too-large': 'the bound of dust is at most the smallest deposit',
  'deposit-maximum-too-large': 'the largest deposit is too large',
  'token-decimals-unsupported': 'the token must have {{decimals}} decimals, as in the ledger',
  'address-invalid': '"{{address}}" is not an address',
  'rules-unknown': '{{game}}: unknown rules {{rules}}; known: {{known}}',
  'bet-minimum-too-small': '{{game}}: the minimum bet must be at least 1 point',
  'bet-limits-not-integer': '{{game}}: bet limits must be an integer number of points',
  'bet-maximum-below-minimum': '{{game}}: the maximum bet is below the minimum',
  'bet-maximum-too-large': '{{game}}: the maximum bet is too large',
  'lines-out-of-range': '{{game}}: lines must be from 1 to {{max}}',
} satisfies Record<ConfigFaultCode, string>;

/** Lines of the trial balance. */
export const balanceLines = {
  players: 'Player balances',
  withdrawals: 'Withdrawals requested, not paid',
  unmatched: 'Unmatched deposits',
  fees: 'Withdrawal fees',
  house: 'House',
  chain: 'On-chain: received less sent',
};

/** Functions that operators can stop. A game uses its own title. */
export const switches = {
  all: 'All play and exchange',
  exchange: 'Exchange',
  withdrawals: 'Withdrawals (new ones wait)',
};

/**
 * Refusals of players' calls, by code. A figure has the name that the response gives it. The clients of the specification
 * match substrings of a message ("insufficient points balance", ...): texts begin with those phrases, unchanged.
 */
export const refusals = {
  'not-registered': 'this session has no player; log in again',
  'insufficient-points':
    'insufficient points balance: you have {{points}}; this bet needs {{stake}}. Bet less or exchange BSM for points',
  'bet-not-integer': 'bet amount must be an integer number of points',
  'bet-below-minimum': 'bet amount below minimum: bet at least {{min_stake}}',
  'bet-above-maximum': 'bet amount exceeds maximum: bet at most {{max_stake}}',
  'lines-out-of-range': 'lines must be an integer from 1 to {{max}}',
  'game-switched-off': 'this game is switched off for now; your points are unchanged',
  'round-open':
    'you have an open round of this game; continue it, or start again after it has ended',
  'rotate-round-open':
    'seeds cannot rotate while a round is open: end your round of {{game}} first',
  'round-not-open': 'this round is not open',
  'round-too-soon': 'result refused: the round is not over yet; it ends in {{msLeft}}',
  'round-differs': 'result refused: these figures do not match the seed of your round',
  'round-voided': 'an operator cancelled this round; your points were returned',
  'nickname-empty': 'a nickname needs at least one visible character',
  'nickname-too-long': 'nickname too long: use at most {{max}} characters',
  'nickname-not-plain':
    'a nickname takes letters, digits, signs and emoji, but no control or invisible characters',
  'nickname-reserved': 'this nickname could be mistaken for staff of the site; choose another',
  'client-seed-invalid':
    'a client seed is 1 to {{max}} visible ASCII characters without a colon or a space',
  'over-cover':
    'the treasury does not cover this amount now; use a smaller amount or try again later',
  'exchange-switched-off': 'exchange is switched off for now; your balances are unchanged',
  'exchange-same-asset': 'from_type and to_type must differ',
  'exchange-amount-invalid':
    'exchange amount must be above 0, with at most 2 decimals of points or 9 of BSM',
  'exchange-insufficient-points': 'Insufficient points balance! You have {{points}}',
  'exchange-insufficient-token': 'Insufficient token balance! You have {{token}}',
  'exchange-too-small': 'exchange amount too small: you would receive 0',
  'terms-changed':
    'the operators changed the fee or the rate after the page showed it; nothing was moved',
  'exchange-too-large': 'exchange amount too large; split it into several exchanges',
  'no-chain':
    'the chain cannot be reached, so deposits and withdrawals are unavailable now; play continues',
  'deposit-amount-invalid': 'Please enter a valid deposit amount: above 0, with at most 9 decimals',
  'deposit-below-minimum':
    'Please enter a valid deposit amount: it is below minimum deposit of {{token}}',
  'deposit-above-maximum': 'amount exceeds maximum deposit of {{token}} in one transaction',
  'deposit-hash-invalid':
    'Please enter a valid transaction hash (at least 32 characters): 64 bytes in base58',
  'deposit-not-ours': 'this transaction is not your deposit: {{fault}}',
  'deposits-too-many':
    '{{max}} of your reported transactions are not found on the chain yet; wait until they are',
  'withdrawal-amount-invalid': 'withdrawal amount must be above 0, with at most 9 decimals of BSM',
  'withdrawal-insufficient-token': 'Insufficient token balance! You have {{token}}',
  'withdrawal-too-small': 'withdrawal amount too small: the fee would use all of it',
  'withdrawal-below-minimum': 'withdrawal amount is below the minimum withdrawal of {{token}}',
  'withdrawal-below-account-minimum':
    'this wallet has no BSM account yet, and creating one has a cost: withdraw at least {{token}}',
  'withdrawal-address-invalid':
    'to_address is not a valid wallet address: use a Solana wallet, not a token account, mint or program',
  'withdrawal-address-foreign':
    'the BSM account of to_address belongs to another wallet; use another address',
  'withdrawal-address-ours': 'to_address is our own wallet; use one of yours',
  'withdrawal-confirmation-invalid':
    'the confirmation was not signed by your wallet for this amount, this address and this site; nothing was withdrawn',
  'withdrawal-confirmation-too-old':
    'the confirmation is too old; nothing was withdrawn: sign again, and if that is refused too, set the clock of your device',
  'withdrawal-confirmation-in-future':
    'the confirmation is from the future: set the clock of your device; nothing was withdrawn',
  'withdrawal-confirmation-used':
    'this confirmation, or a later one, was used already; nothing was withdrawn: sign again',
  'withdrawals-too-many': '{{max}} of your withdrawals are in progress; wait until one is complete',
  'player-suspended':
    'your account is suspended; you can always exchange points for BSM and withdraw',
  'no-such-notification': 'you have no such notification',
  'self-excluded':
    'you excluded yourself from play {{until}}; you can always exchange points for BSM and withdraw',
  'exclusion-not-shortened':
    'you excluded yourself {{until}}; the exclusion can be extended, not shortened',
  'reality-check-due':
    'reality check: you have played for {{minutes}} minutes, staked {{staked}} and won {{won}}; acknowledge it to continue',
  'reality-check-interval-invalid':
    'the interval of the reality check must be an integer from {{min}} to {{max}} minutes, or null for none',
  'loss-limit-reached':
    'this exceeds your own loss limit of {{limit}} within {{period}}: {{left}} left until {{resets_at}}',
  'wager-limit-reached':
    'this exceeds your own stakes limit of {{limit}} within {{period}}: {{left}} left until {{resets_at}}',
  'deposit-limit-reached':
    'this exceeds your own deposit limit of {{limit_token}} within {{period}}: {{left_token}} left until {{resets_at}}',
  'limit-amount-invalid':
    'a limit must be 0 or more, with at most 2 decimals of points or 9 of BSM, or null to remove it',
  'no-pending-limit-change': 'this limit has no pending change',
  'bad-input': 'the request is not valid',
  'bad-json': 'the body is not valid JSON',
  'unsupported-media-type': 'send the body as application/json',
  'body-too-large': 'the body is too large: at most {{maxBytes}} bytes',
  'headers-too-large': 'the headers are too large',
  'request-too-slow': 'the request took too long to arrive; try again',
  'login-invalid':
    'login refused: wallet, message and signature do not match; sign a new message. A hardware wallet that signs messages in an envelope of its own, such as Ledger, cannot log in: use another wallet',
  'login-other-origin':
    'login refused: the signed message is not for this site; log in at {{origin}}',
  'login-too-old':
    'login refused: the signed message is too old; sign a new one, and if that is refused too, set the clock of your device',
  'login-in-future': 'login refused: the time of the message is in the future; check your clock',
  'login-used': 'this signed message was used already; sign a new one',
  'session-dead': 'your session has ended; log in again',
  'faucet-used': 'the faucet can be used once every {{minutes}} minutes; try again later',
  'not-found': 'this does not exist',
  'method-not-allowed': 'this path does not accept this method',
  'idempotency-key-reused': 'this idempotency key was used with a different request; use a new key',
  'too-many-requests': 'too many requests; wait a few seconds and try again',
  'too-many-new-players':
    'too many new wallets logged in from your network; try again later, or log in with a wallet that has played here',
  'too-many-free-acts':
    'you have used up the changes of a day that need no stake; this one is possible at {{retry_at}}, or earlier after some rounds',
  overloaded: 'the server is too busy; nothing was changed, try again in a few seconds',
  'clock-skew': 'the clocks of the servers differ; nothing was changed, try again in a few seconds',
  unavailable: 'the ledger cannot be reached right now; try again in a few seconds',
  'seed-unavailable': 'your server seed cannot be opened; nothing was drawn or staked',
  internal: 'internal error; the outcome is unknown. Check your balance before you try again',
};

/** Title and content of a notification. */
export function noticeText({ kind, facts }: Pick<Notification, 'kind' | 'facts'>) {
  const { title, content } = notices[kind];
  return { title, content: fill(content, facts) };
}

/** The reason why a withdrawal waits. */
export const holdText = ({ code, facts }: Hold): string => fill(holds[code], facts);

/** Why a configuration is refused. */
export const faultText = ({ code, facts }: ConfigFault): string => fill(configFaults[code], facts);

/** Reports stored before there were codes have their English text in place of the code. */
export const depositFaultText = (reason: string): string =>
  isDepositFault(reason) ? depositFaults[reason] : reason;

export const riskText = (code: keyof typeof risks, facts: Facts): string =>
  fill(risks[code], facts);

/** `minStakeMinor` is `min_stake` in a response and in a text, `resetsMs` is `resets_at`. */
export const factName = (key: string): string =>
  key
    .replace(/Minor$/, '')
    .replace(/Ms$/, 'At')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const factAsset = (key: string): Asset => (/tokenMinor$/i.test(key) ? 'token' : 'points');

/** The message of a player's refusal; a figure that the detail lacks is `?`. */
export function fillRefusal(
  text: string,
  detail: Readonly<Record<string, string | number | bigint>>,
): string {
  const { untilMs, msLeft, period, fault } = detail;
  const facts: Record<string, string> = {
    until: typeof untilMs === 'number' ? `until ${timeText(untilMs)}` : 'for good',
  };
  for (const [key, value] of Object.entries(detail)) {
    if (typeof value === 'bigint') facts[factName(key)] = toText(factAsset(key), value);
    else if (key.endsWith('Ms')) facts[factName(key)] = timeText(Number(value));
    else facts[key] = String(value);
  }
  if (typeof msLeft === 'number') facts.msLeft = `${Math.ceil(msLeft / 100) / 10} s`;
  if (typeof period === 'string') facts.period = limitNames.period[period as 'day'] ?? period;
  if (typeof fault === 'string') facts.fault = depositFaultText(fault);
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => facts[name] ?? '?');
}

function fill(text: string, facts: Readonly<Record<string, Fact | NoticeFact>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => textOf(name, facts[name]));
}

function textOf(name: string, fact: Fact | NoticeFact | undefined): string {
  assert(fact !== undefined, 'every placeholder of a text is among its facts');
  // These two facts are identifiers of the ledger.
  if (name === 'limit') return limitNames.kind[fact as keyof typeof limitNames.kind];
  if (name === 'period') return limitNames.period[fact as keyof typeof limitNames.period];
  if (typeof fact !== 'object') return String(fact);
  if ('hold' in fact) return holdText(fact.hold);
  return 'atMs' in fact ? timeText(fact.atMs) : factText(fact);
}
