import { readBody } from '@reelbook/ledger/codec';
import { type Asset, toNumber } from '@reelbook/ledger/money';
import { amountText, dateTime, formatInteger, signedText } from '@reelbook/web/format';

/** The fields that the readable view shows, in its order. The raw event has all. */
const FIELDS = [
  ...(['pointsMinor', 'stakeMinor', 'payoutMinor', 'fromMinor', 'toMinor', 'deltaMinor'] as const),
  ...(['amountMinor', 'feeMinor', 'netMinor', 'to', 'withdrawal', 'signature', 'slot'] as const),
  ...(['attempt', 'approvals', 'needed', 'game', 'round', 'rules', 'pair', 'nonce'] as const),
  ...(['nonces', 'clientSeed', 'serverSeed', 'serverSeedHash', 'nickname', 'publicId'] as const),
  ...(['kind', 'period', 'fromMs', 'untilMs', 'everyMs', 'reason', 'evidence'] as const),
] as const;

type FieldName = (typeof FIELDS)[number];

/** A value in human units. `word`: a code of the ledger that the catalogue translates, with its field. */
interface Fact {
  field: FieldName | 'afterPoints' | 'afterToken';
  text: string;
  asset: Asset | null;
  word: boolean;
}

export interface EventFacts {
  type: string;
  /** When it was recorded. */
  time: string;
  facts: readonly Fact[];
}

/** The readable facts of a recorded event; null for a text that is none. */
export function factsOf(body: string): EventFacts | null {
  try {
    const { type, time, data } = readBody(body);
    if (typeof type !== 'string' || typeof time !== 'string') return null;
    const fields = { ...data } as Readonly<Record<string, unknown>>;
    const facts = FIELDS.flatMap((field) => factOf(field, fields[field], fields));
    return { type, time, facts: [...facts, ...balancesOf(fields.after)] };
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const MINUTE_MS = 60_000;

function factOf(field: FieldName, value: unknown, fields: Fields): Fact[] {
  if (value === undefined) return [];
  const plain = (text: string): Fact[] => [{ field, text, asset: null, word: false }];
  const word = (code: string): Fact[] => [{ field, text: code, asset: null, word: true }];
  if (value === null) return field.endsWith('Minor') || field.endsWith('Ms') ? word('none') : [];
  if (typeof value === 'bigint') {
    const asset = assetOf(field, fields);
    const show = field === 'deltaMinor' ? signedText : amountText;
    return [{ field, text: show(asset, toNumber(asset, value)), asset, word: false }];
  }
  if (typeof value === 'number') {
    if (field === 'everyMs') return plain(`${formatInteger(value / MINUTE_MS)} min`);
    return plain(
      field.endsWith('Ms') ? dateTime(new Date(value).toISOString()) : formatInteger(value),
    );
  }
  if (typeof value !== 'string') return [];
  return field === 'kind' || field === 'period' ? word(value) : plain(value);
}

function assetOf(field: FieldName, fields: Fields): Asset {
  const isPoints = (named: unknown) => (named === 'points' ? 'points' : 'token');
  switch (field) {
    case 'pointsMinor':
    case 'stakeMinor':
    case 'payoutMinor':
      return 'points';
    case 'fromMinor':
      return isPoints(fields.fromAsset);
    case 'toMinor':
      return isPoints(fields.toAsset);
    case 'deltaMinor':
      return isPoints(fields.asset);
    case 'amountMinor':
      // Of a limit: only deposits are limited in BSM.
      return 'kind' in fields && fields.kind !== 'deposit' ? 'points' : 'token';
    default:
      return 'token';
  }
}

function balancesOf(after: unknown): Fact[] {
  if (typeof after !== 'object' || after === null) return [];
  const { pointsMinor, tokenMinor } = after as Fields;
  const of = (field: Fact['field'], asset: Asset, minor: unknown): Fact[] =>
    typeof minor === 'bigint'
      ? [{ field, text: amountText(asset, toNumber(asset, minor)), asset, word: false }]
      : [];
  return [...of('afterPoints', 'points', pointsMinor), ...of('afterToken', 'token', tokenMinor)];
}
