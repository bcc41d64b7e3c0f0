import { balanceLines, holds, risks } from '@reelbook/contract/english';
import { EVENTS, type EventType } from '@reelbook/ledger/event-types';

/** `{name}` of the ledger is `{{name}}` of the catalogues. */
const withFigures = (text: string) => text.replace(/\{(\w+)\}/g, '{{$1}}');

/** What is said of events and withdrawals, by their type, their code and the words of the ledger, in English. */
export const enSentences = {
  sentence: Object.fromEntries(
    Object.entries(EVENTS).map(([type, { sentence }]) => [type, withFigures(sentence[0])]),
  ) as Record<EventType, string>,
  risk: risks,
  hold: holds,
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
    enabled: 'enabled',
    disabled: 'disabled',
    retired: 'retired',
  },
  line: balanceLines,
};
