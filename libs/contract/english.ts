import type { Period } from '@reelbook/ledger/calendar';
import type { HoldCode } from '@reelbook/ledger/holds';
import type { NoticeKind } from '@reelbook/ledger/player/notice-facts';
import type { LimitKind } from '@reelbook/ledger/player/protection-events';

/**
 * The English of what both a server and an app show, by the codes of the ledger: answers are filled from it
 * (english-text.ts), and each app takes its part into its catalogue, with the Chinese in the file next to it. `{{name}}`
 * is the fact of that name.
 */

/** What a player is notified of. */
export const notices = {
  welcome: { title: 'Welcome to Reelbook', content: 'You start with {{points}} to play with.' },
  'big-win': { title: 'Big win', content: 'You won {{won}} with {{bet}}.' },
  'seeds-rotated': {
    title: 'Seeds rotated',
    content: 'Server seed {{pair}} is public. Rounds that can be verified now: {{nonces}}.',
  },
  'round-cancelled': {
    title: 'Round cancelled',
    content: 'An operator cancelled your round; {{back}} came back. Reason: {{reason}}',
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

/** What a limit is set on, and within which time; facts of a notification. */
export const limitNames = {
  kind: { loss: 'Losses', wager: 'Stakes', deposit: 'Deposits' },
  period: { day: 'a day', week: 'a week', month: 'a month' },
} satisfies { kind: Record<LimitKind, string>; period: Record<Period, string> };

/** Why a withdrawal is on hold. */
export const holds = {
  paused: 'withdrawals are paused by the operators',
  'needs-operators': 'awaiting approval, {{approvals}} of {{needed}}',
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
