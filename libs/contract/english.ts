import type { Period } from '@reelbook/ledger/calendar';
import type { DepositFault } from '@reelbook/ledger/deposit-faults';
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

/** Why the cashier does not go on with a withdrawal. */
export const holds = {
  paused: 'withdrawals are paused by the operators',
  'needs-operators': 'it waits for operators: {{approvals}} of {{needed}} have approved it',
  'sums-behind': 'the sums of the last hours are being caught up with',
  'player-hour-used': "more than is paid without operators: this player's hour is used up",
  'player-day-used': "more than is paid without operators: this player's day is used up",
  'player-count-used':
    'more payments than are made without operators: this player has had theirs for the hour',
  'hour-used': "more than is paid without operators: everybody's hour is used up",
  'day-used': "more than is paid without operators: everybody's day is used up",
  'no-key': 'this cashier has no key of the treasury',
  'not-taken': 'the chain did not take it {{attempts}} times; an operator looks at it',
  'treasury-short': 'the treasury holds too little BSM now',
  'treasury-low-on-sol': 'the treasury is below its low-water mark of SOL',
  'end-uncertain':
    'it expired, and it is not certain that it never landed; an operator looks at it',
  'may-still-land': 'its attempt before may be on the chain, or still land: it is not signed again',
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

/** What a person should look at before money leaves. */
export const risks = {
  'no-play': 'the player has never settled a round',
  'new-player': 'the player registered less than 24 hours before',
  luck: 'luck beyond chance in {{rounds}} rounds, by the last audit (e-value {{eValue}})',
  velocity: '{{asked}} asked for within 24 hours',
  'attempt-failed': 'attempt {{attempt}} was not the first, or failed',
  large: 'more than {{most}}: takes two operators',
  'other-address': "it goes to another address than the player's own",
  first: 'the first withdrawal of this player',
  'new-address': 'the first to this address',
  'on-hold': 'the cashier waits: {{why}}',
};

/** What each line of the trial balance means. */
export const balanceLines = {
  players: 'Held for players',
  withdrawals: 'Withdrawals asked for and not paid',
  unmatched: "Arrived and nobody's yet",
  fees: 'Fees of withdrawals',
  house: 'The house',
  chain: 'The chain: came less went',
};

/** What can be stopped at once; a game is named by its title. */
export const switches = {
  all: 'All play and exchange',
  exchange: 'Exchange',
  withdrawals: 'Withdrawals (new ones wait)',
};
