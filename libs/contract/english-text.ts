import { assert } from '@reelbook/ledger/assert';
import { timeText } from '@reelbook/ledger/calendar';
import type { ConfigFault } from '@reelbook/ledger/config/fault-codes';
import { isDepositFault } from '@reelbook/ledger/deposit-faults';
import type { Fact, Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import type { Fact as NoticeFact, Notification } from '@reelbook/ledger/player/notice-facts';
import { factText } from '@reelbook/ledger/sentences';
import { configFaults, depositFaults, holds, limitNames, notices, risks } from './english.ts';

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
