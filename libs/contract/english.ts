import type { Period } from '@reelbook/ledger/calendar';
import type { ConfigFaultCode } from '@reelbook/ledger/config/fault-codes';
import type { DepositFault } from '@reelbook/ledger/deposit-faults';
import type { HoldCode } from '@reelbook/ledger/holds';
import type { NoticeKind } from '@reelbook/ledger/player/notice-facts';
import type { LimitKind } from '@reelbook/ledger/player/protection-events';

/**
 * English texts that servers and apps share, by the codes of the ledger. Servers fill them in (english-text.ts); each
 * app includes its part in its catalogue, with the Chinese texts in the adjacent file. `{{name}}` is the fact of that name.
 */

/** Notifications of players. */
export const notices = {
  welcome: { title: 'Welcome to Reelbook', content: 'You start with {{points}} to play with.' },
  'big-win': { title: 'Big win', content: 'You won {{won}} with {{bet}}.' },
  'seeds-rotated': {
    title: 'Seeds rotated',
    content: 'Server seed {{pair}} is public. Rounds that can be verified now: {{nonces}}.',
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
    content: '{{gross}} are set aside: {{net}} will be sent, {{fee}} are the fee.',
  },
  'withdrawal-approved': { title: 'Withdrawal approved', content: 'It will be sent next.' },
  'withdrawal-sent': { title: 'Withdrawal sent', content: 'It is on its way to the chain.' },
  'withdrawal-paid': {
    title: 'Withdrawal paid',
    content: '{{net}} arrived in your wallet, for good.',
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
  'needs-operators': 'awaiting approval, {{approvals}} of {{needed}}',
  'not-confirmed':
    "the address is not the player's wallet and not confirmed: awaiting approval, {{approvals}} of {{needed}}",
  'sums-behind': 'the payment totals of the last hours are being computed',
  'player-hour-used': "this player's hourly limit for automatic approval is used up",
  'player-day-used': "this player's 24-hour limit for automatic approval is used up",
  'player-count-used': "this player's hourly number of automatic payments is used up",
  'hour-used': 'the hourly limit of all players for automatic approval is used up',
  'day-used': 'the 24-hour limit of all players for automatic approval is used up',
  'no-key': 'this cashier does not have the treasury key',
  'not-taken': 'the blockchain rejected it {{attempts}} times; an operator must check it',
  'treasury-short': 'the treasury holds too little BSM now',
  'treasury-low-on-sol': 'the treasury is below its minimum SOL balance',
  'end-uncertain': 'it expired, but may have landed; an operator must check it',
  'may-still-land':
    'the previous attempt may have landed or may still land; it is not signed again',
} satisfies Record<HoldCode, string>;

/** Why a reported transaction is no deposit of the player. */
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
  'before-opening': 'it landed before this ledger was opened',
} satisfies Record<DepositFault, string>;

/** Risk flags of a withdrawal. */
export const risks = {
  'no-play': 'the player has no settled round',
  'new-player': 'registered less than 24 hours before',
  luck: 'improbable luck in {{rounds}} rounds, by the last audit (e-value {{eValue}})',
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
    'welcome points that were 0 stay 0: where points have a value, they would be given away',
  'welcome-points-local-only': 'welcome points are for the local chain only',
  'big-win-multiple-out-of-range': 'the big win multiple must be from 1 to {{max}}',
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
