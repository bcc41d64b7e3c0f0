import { assert } from '@reelbook/ledger/assert';
import { timeText } from '@reelbook/ledger/calendar';
import type { ConfigFault } from '@reelbook/ledger/config/fault-codes';
import { isDepositFault } from '@reelbook/ledger/deposit-faults';
import type { Fact, Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import { type Asset, toText } from '@reelbook/ledger/money';
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
