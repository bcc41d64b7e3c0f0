import type { RISKS } from '@reelbook/contract/admin/desk';
import type { LINES } from '@reelbook/contract/admin/house';
import { EVENTS, type EventType } from '@reelbook/ledger/event-types';
import type { HoldCode } from '@reelbook/ledger/holds';

/** `{name}` of the ledger is `{{name}}` of the catalogues. */
const withFigures = (text: string) => text.replace(/\{(\w+)\}/g, '{{$1}}');

/** What is said of events and withdrawals, by their type, their code and the words of the book, in English. */
export const enSentences = {
  sentence: Object.fromEntries(
    Object.entries(EVENTS).map(
      ([
        type,
        {
          sentence: [text],
        },
      ]) => [type, withFigures(text)],
    ),
  ) as Record<EventType, string>,
  risk: {
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
  },
  hold: {
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
    'may-still-land':
      'its attempt before may be on the chain, or still land: it is not signed again',
  },
  until: 'until {{time}} UTC',
  forGood: 'for good',
  term: {
    deposit: 'deposit',
    loss: 'loss',
    wager: 'wager',
    day: 'day',
    week: 'week',
    month: 'month',
    none: 'none',
    viewer: 'viewer',
    auditor: 'auditor',
    operator: 'operator',
    admin: 'admin',
    unknown: 'unknown',
    revoked: 'revoked',
    role: 'role',
    rebuild: 'rebuild',
    switch: 'switch',
    back: 'way back',
    discard: 'discard',
    continue: 'going on',
    requested: 'requested',
    approved: 'approved',
    signed: 'signed',
    over: 'over',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
    expired: 'expired',
    house: 'the house',
    cashier: 'the cashier',
    'several-sources': 'several sources',
    'no-source': 'no source',
    'owner-did-not-sign': 'its owner did not sign',
    'wrong-sender': 'another sender',
    'wrong-memo': 'another memo',
    'too-large': 'too large',
    'no-such-player': 'the sender is no player',
    'wrong-mint': 'another token',
    'wrong-destination': 'another account',
    enabled: 'enabled',
    disabled: 'disabled',
    retired: 'retired',
  },
  line: {
    players: 'Held for players',
    withdrawals: 'Withdrawals asked for and not paid',
    unmatched: "Arrived and nobody's yet",
    fees: 'Fees of withdrawals',
    house: 'The house',
    chain: 'The chain: came less went',
  },
} satisfies {
  risk: Record<keyof typeof RISKS, string>;
  hold: Record<HoldCode, string>;
  line: Record<keyof typeof LINES, string>;
  [other: string]: unknown;
};
