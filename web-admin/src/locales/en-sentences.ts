import { balanceLines, holds, risks } from '@reelbook/contract/english';
import { EVENTS, type EventType } from '@reelbook/ledger/event-types';

/** The ledger writes a figure as `{name}`, the catalogues as `{{name}}`. */
const withFigures = (text: string) => text.replace(/\{(\w+)\}/g, '{{$1}}');

/** English texts of events by type, of risk flags and holds by code, and of the ledger's terms. */
export const enSentences = {
  sentence: Object.fromEntries(
    Object.entries(EVENTS).map(([type, { sentence }]) => [type, withFigures(sentence[0])]),
  ) as Record<EventType, string>,
  risk: risks,
  hold: holds,
  until: 'until {{time}} UTC',
  forGood: 'permanently',
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
    unknown: 'not an operator',
    revoked: 'revoked',
    role: 'insufficient role',
    rebuild: 'rebuild',
    switch: 'switch',
    back: 'rollback',
    discard: 'discard',
    continue: 'resume',
    requested: 'requested',
    approved: 'approved',
    signed: 'signed',
    over: 'closed',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
    expired: 'expired',
    house: 'house',
    cashier: 'cashier',
    'several-sources': 'several sources',
    'no-source': 'no source',
    'owner-did-not-sign': 'owner did not sign',
    'wrong-sender': 'wrong sender',
    'wrong-memo': 'wrong memo',
    'too-large': 'too large',
    'no-such-player': 'sender is not a player',
    'wrong-mint': 'wrong token',
    enabled: 'enabled',
    disabled: 'disabled',
    retired: 'retired',
  },
  line: balanceLines,
};
