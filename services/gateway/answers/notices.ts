import type { NoticeFact } from '@reelbook/contract/player/profile';
import { toNumber } from '@reelbook/ledger/money';
import type { Fact, Facts } from '@reelbook/ledger/player/notice-text';

/** The figures of a notification as the API speaks of them: amounts in whole units, times in ISO 8601. */
export function factsAnswer(facts: Facts): Readonly<Record<string, NoticeFact>> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, answerOf(fact)]));
}

function answerOf(fact: Fact): NoticeFact {
  if (typeof fact !== 'object') return fact;
  if ('atMs' in fact) return { time: new Date(fact.atMs).toISOString() };
  return { asset: fact.asset, amount: toNumber(fact.asset, fact.minor) };
}
