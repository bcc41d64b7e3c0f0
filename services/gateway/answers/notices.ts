import { noticeText } from '@reelbook/contract/english-text';
import type { NoticeFact } from '@reelbook/contract/player/profile';
import { toNumber } from '@reelbook/ledger/money';
import type { Fact, Notification } from '@reelbook/ledger/player/notice-facts';

/** A notification in the API: amounts in points or BSM, times in ISO 8601, with English texts. */
export function noticeAnswer(notice: Pick<Notification, 'type' | 'kind' | 'facts'>) {
  const { type, kind, facts } = notice;
  const answers = Object.entries(facts).map(([name, fact]) => [name, answerOf(fact)] as const);
  return { type, kind, facts: Object.fromEntries(answers), ...noticeText(notice) };
}

function answerOf(fact: Fact): NoticeFact {
  if (typeof fact !== 'object') return fact;
  if ('atMs' in fact) return { time: new Date(fact.atMs).toISOString() };
  return { asset: fact.asset, amount: toNumber(fact.asset, fact.minor) };
}
