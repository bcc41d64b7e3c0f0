import { type Asset, toMinor } from '@reelbook/ledger/money';

/**
 * The one search line: a filter is a list of tokens, `key:value` or `amount>100`, and stands in the address as their
 * text. Pure, so that the same text always finds the same events.
 */
export interface Token {
  readonly key: TokenKey;
  readonly operator: ':' | '>' | '<' | '>=' | '<=';
  readonly value: string;
}

/** Keys, the field of the query that each fills, and an example of a value. */
export const TOKEN_KEYS = {
  type: 'types',
  player: 'wallet',
  asset: 'asset',
  amount: null,
  since: 'from',
  until: 'to',
  position: null,
  game: 'game',
  rules: 'rules',
  round: 'round',
  kind: 'kind',
  actor: 'actor',
  correlation: 'correlation',
  command: 'command',
  signature: 'signature',
  withdrawal: 'withdrawal',
  hash: 'hash',
} as const;

export type TokenKey = keyof typeof TOKEN_KEYS;

export type FilterQuery = Readonly<Record<string, string | number>>;

/** More tokens than a person types; an address that holds more is cut. */
const TOKENS_MAX = 24;
const TOKEN = /^([a-z]+)(:|>=|<=|>|<)(.+)$/;
const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const COMPARED: readonly string[] = ['amount', 'position'];

/** One token out of what was typed; null when it is none, so that it may be an identifier to look for. */
export function readToken(text: string): Token | null {
  const [, key = '', operator = '', value = ''] = TOKEN.exec(text) ?? [];
  if (!(key in TOKEN_KEYS)) return null;
  if ((operator === ':') === COMPARED.includes(key)) return null;
  return { key: key as TokenKey, operator: operator as Token['operator'], value };
}

/** The tokens of a text, and the words in it that are none. */
export function readFilter(text: string): { tokens: readonly Token[]; words: readonly string[] } {
  const parts = text.split(/\s+/).filter(Boolean).slice(0, TOKENS_MAX);
  const tokens: Token[] = [];
  const words: string[] = [];
  for (const part of parts) {
    const token = readToken(part);
    if (token) tokens.push(token);
    else words.push(part);
  }
  return { tokens, words };
}

export function writeToken({ key, operator, value }: Token): string {
  return `${key}${operator}${value}`;
}

export function writeFilter(tokens: readonly Token[]): string {
  return tokens.map(writeToken).join(' ');
}

/** Adds a token; of a key that can only be said once the new one stands. */
export function withToken(tokens: readonly Token[], token: Token): readonly Token[] {
  const isSame = (other: Token) =>
    other.key === token.key && other.operator[0] === token.operator[0];
  return [...tokens.filter((other) => !isSame(other)), token];
}

/** The query of the explorer; throws nothing: a token that cannot hold is named in `wrong`. */
export function filterQuery(tokens: readonly Token[]): {
  query: FilterQuery;
  wrong: readonly Token[];
} {
  const query: Record<string, string | number> = {};
  const wrong: Token[] = [];
  const asset = (tokens.find(({ key }) => key === 'asset')?.value ?? 'points') as Asset;
  for (const token of tokens) {
    const fields = fieldsOf(token, asset);
    if (fields) Object.assign(query, fields);
    else wrong.push(token);
  }
  return { query, wrong };
}

function fieldsOf(token: Token, asset: Asset): FilterQuery | null {
  const { key, operator, value } = token;
  if (key === 'amount') return amountFields(operator, value, asset);
  if (key === 'position') return positionFields(operator, value);
  if (key === 'player') return WALLET.test(value) ? { wallet: value } : { public_id: value };
  if (key === 'since' || key === 'until') {
    const time = readTime(value);
    return time === null ? null : { [TOKEN_KEYS[key]]: time };
  }
  if (key === 'asset' && value !== 'points' && value !== 'token') return null;
  return { [TOKEN_KEYS[key]]: value };
}

function amountFields(operator: string, value: string, asset: Asset): FilterQuery | null {
  if (!/^\d{1,15}(\.\d{1,9})?$/.test(value)) return null;
  if (asset !== 'points' && asset !== 'token') return null;
  const minor = toMinor(asset, Number(value));
  if (minor === null) return null;
  const step = operator === '>' ? 1n : operator === '<' ? -1n : 0n;
  const bound = minor + step;
  if (bound < 0n) return null;
  return { asset, [operator.startsWith('>') ? 'min_minor' : 'max_minor']: String(bound) };
}

function positionFields(operator: string, value: string): FilterQuery | null {
  if (!/^[1-9]\d{0,14}$/.test(value)) return null;
  const bound = Number(value) + (operator === '>' ? 1 : operator === '<' ? -1 : 0);
  if (bound < 1) return null;
  return { [operator.startsWith('>') ? 'from_position' : 'to_position']: bound };
}

/** A day begins at its midnight in UTC; anything else must be a time that names its zone, or is UTC. */
function readTime(value: string): string | null {
  const text = DAY.test(value)
    ? `${value}T00:00:00Z`
    : /(Z|[+-]\d\d:\d\d)$/.test(value)
      ? value
      : `${value}Z`;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
