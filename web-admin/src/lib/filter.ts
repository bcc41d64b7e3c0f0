import { type Asset, toMinor } from '@reelbook/ledger/money';

/** One token of a filter, `key:value` or `amount>100`. The text of all tokens is a URL parameter. */
export interface Token {
  readonly key: TokenKey;
  readonly operator: ':' | '>' | '<' | '>=' | '<=';
  readonly value: string;
}

/** Each key with the query parameter that it sets; null for keys with bounds. */
export const TOKEN_KEYS = {
  type: 'types',
  player: 'wallet',
  asset: 'asset',
  direction: 'direction',
  account: 'account',
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

/** Tokens after this number are ignored. */
const TOKENS_MAX = 24;
const TOKEN = /^([a-z]+)(:|>=|<=|>|<)(.+)$/;
const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const COMPARED: readonly string[] = ['amount', 'position'];

/** Parses one token. Null if the text is not a token; it may be an identifier. */
export function readToken(text: string): Token | null {
  const [, key = '', operator = '', value = ''] = TOKEN.exec(text) ?? [];
  if (!(key in TOKEN_KEYS)) return null;
  if ((operator === ':') === COMPARED.includes(key)) return null;
  return { key: key as TokenKey, operator: operator as Token['operator'], value };
}

/** The tokens of a text, and its other words. */
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

/** Adds a token, and replaces one with the same key and direction of comparison. */
export function withToken(tokens: readonly Token[], token: Token): readonly Token[] {
  const isSame = (other: Token) =>
    other.key === token.key && other.operator[0] === token.operator[0];
  return [...tokens.filter((other) => !isSame(other)), token];
}

/** Query parameters of the explorer. Invalid tokens are returned in `invalid` and otherwise ignored. */
export function filterQuery(tokens: readonly Token[]): {
  query: FilterQuery;
  invalid: readonly Token[];
} {
  const query: Record<string, string | number> = {};
  const invalid: Token[] = [];
  const asset = (tokens.find(({ key }) => key === 'asset')?.value ?? 'points') as Asset;
  for (const token of tokens) {
    const fields = fieldsOf(token, asset);
    if (fields) Object.assign(query, fields);
    else invalid.push(token);
  }
  return { query, invalid };
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
  if (key === 'direction' && value !== 'credit' && value !== 'debit') return null;
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

/** A day is its midnight in UTC. A time without a zone is UTC. */
function readTime(value: string): string | null {
  const text = DAY.test(value)
    ? `${value}T00:00:00Z`
    : /(Z|[+-]\d\d:\d\d)$/.test(value)
      ? value
      : `${value}Z`;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The tokens of a query that the server answered with a figure. */
export function tokensOf(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([field, value]) => {
      if (field === 'from_position') return `position>=${value}`;
      if (field === 'to_position') return `position<=${value}`;
      const key = Object.entries(TOKEN_KEYS).find(([, name]) => name === field)?.[0] ?? field;
      return `${key}:${value}`;
    })
    .join(' ');
}
