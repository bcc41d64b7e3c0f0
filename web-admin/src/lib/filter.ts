import type { AdminData } from '@reelbook/admin/answers';
import { EVENTS, STREAM_KINDS } from '@reelbook/ledger/event-types';
import { type Asset, fromDecimal } from '@reelbook/ledger/money';
import { useCallback, useMemo, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { explorerPath, FILTER_PARAM, pages, paths, settingPath } from './paths.ts';
import { readIso, useHere } from './point-in-time.ts';
import { placeOf, settingName } from './setting-texts.ts';

/**
 * One token of a filter, `key:value` or `amount>100`. The text of all tokens is a URL parameter. `unknown`: text that is no
 * token; a filter with it is invalid.
 */
export interface Token {
  readonly key: TokenKey | 'unknown';
  readonly operator: ':' | '=' | '>' | '<' | '>=' | '<=';
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
  signature: 'signature',
  withdrawal: 'withdrawal',
  hash: 'hash',
} as const;

export type TokenKey = keyof typeof TOKEN_KEYS;

type FilterQuery = Readonly<Record<string, string | number>>;

const TOKENS_MAX = 24;
const TOKEN = /^([a-z]+)(:|=|>=|<=|>|<)(.+)$/;
const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const COMPARED: readonly string[] = ['amount', 'position'];
/** Thousands separators in what people type. */
const SEPARATORS = /[,'\u00a0\u202f]/g;
const AMOUNT = /^(\d[\d,'\u00a0\u202f]*(?:\.\d+)?)\s*(BSM|token|points?)?$/i;
const UNITS: Readonly<Record<Asset, RegExp>> = { points: /^points?$/i, token: /^(BSM|token)$/i };
/** The one with the finer minor unit last. */
const ASSETS = Object.keys(UNITS) as Asset[];

/** Parses one token; `:` and `=` are the same. Null if the text is not a token; it may be an identifier. */
export function readToken(text: string): Token | null {
  const [, key = '', typed = '', value = ''] = TOKEN.exec(text) ?? [];
  if (!(key in TOKEN_KEYS)) return null;
  const isCompared = COMPARED.includes(key);
  const isEqual = typed === ':' || typed === '=';
  if (!isEqual && !isCompared) return null;
  const operator = isEqual ? (isCompared ? '=' : ':') : (typed as Token['operator']);
  return { key: key as TokenKey, operator, value: key === 'type' ? typesOf(value) : value };
}

/** The token of a text that is one without its key: `BetWon`, `30.00`, `20 BSM`. */
export function inferToken(text: string): Token | null {
  const type = TYPES.get(text.toLowerCase());
  if (type) return { key: 'type', operator: ':', value: type };
  const isAmount = AMOUNT.test(text) && /\D/.test(text.replace(SEPARATORS, ''));
  const value = text.replace(/\s(?=\d)/g, ',').replace(/\s/g, '');
  return isAmount ? { key: 'amount', operator: '=', value } : null;
}

const TYPES = new Map(Object.keys(EVENTS).map((type) => [type.toLowerCase(), type]));
/** Event types as the ledger writes them; unknown ones unchanged. */
const typesOf = (value: string) =>
  value
    .split(',')
    .map((type) => TYPES.get(type.toLowerCase()) ?? type)
    .join(',');

/** The tokens of a text. Nothing of it is dropped: text that is no token becomes one that is invalid. */
export function readFilter(text: string): readonly Token[] {
  const parts = text.split(/\s+/).filter(Boolean);
  const rest = parts.slice(TOKENS_MAX).map(unknown);
  return [
    ...parts
      .slice(0, TOKENS_MAX)
      .map((part) => readToken(part) ?? inferToken(part) ?? unknown(part)),
    ...rest,
  ];
}

const unknown = (value: string): Token => ({ key: 'unknown', operator: ':', value });

export function writeToken({ key, operator, value }: Token): string {
  return key === 'unknown' ? value : `${key}${operator}${value}`;
}

export function writeFilter(tokens: readonly Token[]): string {
  return tokens.map(writeToken).join(' ');
}

/** Adds a token, and replaces those with the same key, except the opposite bound. */
export function withToken(tokens: readonly Token[], token: Token): readonly Token[] {
  const isSame = (other: Token) =>
    other.key === token.key &&
    (other.operator[0] === token.operator[0] || other.operator === '=' || token.operator === '=');
  return [...tokens.filter((other) => !isSame(other)), token];
}

/** Query parameters of the explorer. With an `invalid` token the query must not be sent: it would match more. */
export function filterQuery(tokens: readonly Token[]): {
  query: FilterQuery;
  invalid: readonly Token[];
} {
  const query: Record<string, string | number> = {};
  const invalid: Token[] = [];
  for (const token of tokens) {
    const fields = fieldsOf(token, assetsOf(token, tokens));
    if (fields) Object.assign(query, fields);
    else invalid.push(token);
  }
  return { query, invalid };
}

function fieldsOf(token: Token, assets: readonly Asset[]): FilterQuery | null {
  const { key, operator, value } = token;
  if (key === 'unknown') return null;
  if (key === 'type' && !value.split(',').every((type) => type in EVENTS)) return null;
  if (key === 'kind' && !(STREAM_KINDS as readonly string[]).includes(value)) return null;
  if (key === 'hash' && !/^[0-9a-f]{64}$/i.test(value)) return null;
  if (key === 'signature' && !/^[1-9A-HJ-NP-Za-km-z]{32,100}$/.test(value)) return null;
  if (key === 'actor' && !/^(player|operator|system):./.test(value)) return null;
  if (key === 'amount') return amountFields(operator, value, assets);
  if (key === 'position') return positionFields(operator, value);
  if (key === 'player') return WALLET.test(value) ? { wallet: value } : { public_id: value };
  if (key === 'since' || key === 'until') {
    const time = readIso(value);
    return time === null ? null : { [TOKEN_KEYS[key]]: time };
  }
  if (key === 'direction' && value !== 'credit' && value !== 'debit') return null;
  if (key === 'asset' && value !== 'points' && value !== 'token') return null;
  return { [TOKEN_KEYS[key]]: value };
}

/** The assets that the amounts of a filter can be of: those of their units or of the filter, or all that have such amounts. */
export function assetsOf({ key }: Token, tokens: readonly Token[]): readonly Asset[] {
  if (key !== 'amount') return [];
  const named = tokens.find((token) => token.key === 'asset')?.value;
  const amounts = tokens.filter((token) => token.key === 'amount').map(({ value }) => value);
  return ASSETS.filter(
    (asset) =>
      (named ?? asset) === asset &&
      amounts.every((value) => {
        const [, number = '', unit] = AMOUNT.exec(value) ?? [];
        return (
          fromDecimal(asset, number) !== null && (unit === undefined || UNITS[asset].test(unit))
        );
      }),
  );
}

function amountFields(operator: string, typed: string, assets: readonly Asset[]) {
  // Of either asset: in units of the finer one.
  const [asset, other] = assets;
  const finest = other ?? asset;
  const minor = finest ? fromDecimal(finest, AMOUNT.exec(typed)?.[1] ?? '') : null;
  if (minor === null) return null;
  const of = other || !asset ? {} : { asset };
  if (operator === '=') return { ...of, min_minor: String(minor), max_minor: String(minor) };
  const step = operator === '>' ? 1n : operator === '<' ? -1n : 0n;
  const bound = minor + step;
  if (bound < 0n) return null;
  return { ...of, [operator.startsWith('>') ? 'min_minor' : 'max_minor']: String(bound) };
}

function positionFields(operator: string, typed: string): FilterQuery | null {
  const value = typed.replace(SEPARATORS, '').replace(/^#/, '');
  if (!/^[1-9]\d{0,14}$/.test(value)) return null;
  if (operator === '=') return { from_position: Number(value), to_position: Number(value) };
  const bound = Number(value) + (operator === '>' ? 1 : operator === '<' ? -1 : 0);
  if (bound < 1) return null;
  return { [operator.startsWith('>') ? 'from_position' : 'to_position']: bound };
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

/** The tokens in the URL and their setter, which opens the explorer from any page. */
export function useFilter(): readonly [readonly Token[], (tokens: readonly Token[]) => void] {
  const [search] = useSearchParams();
  const { pathname, key } = useLocation();
  const navigate = useNavigate();
  // Set here and not in the URL yet: the explorer may still be loading while the next token is typed.
  const [next, setNext] = useState<{ readonly text: string; readonly key: string } | null>(null);
  const shown = pathname === paths.explorer ? (search.get(FILTER_PARAM) ?? '') : '';
  const text = next?.key === key ? next.text : shown;
  const here = useHere();
  const tokens = useMemo(() => readFilter(text), [text]);
  const set = useCallback(
    (tokens: readonly Token[]) => {
      const text = writeFilter(tokens);
      const query = new URLSearchParams(text ? { [FILTER_PARAM]: text } : {});
      setNext({ text, key });
      void navigate(here(`${paths.explorer}?${query}`));
    },
    [navigate, here, key],
  );
  return [tokens, set];
}

type Games = AdminData<'configuration'>['games'];

const SUGGESTED_MAX = 8;
/** Characters from which on values are suggested without their key. */
const BARE_MIN = 2;
const EXAMPLES: Partial<Record<TokenKey, string>> = {
  amount: 'amount>',
  position: 'position>',
};

/** One completion of the typed text. `isComplete`: a full token; otherwise its value is missing. */
export interface Suggestion {
  readonly text: string;
  readonly key: TokenKey;
  readonly isComplete: boolean;
  /** Of an amount: those that it is searched in. */
  readonly assets?: readonly Asset[];
}

/** A page, or a place in one. */
export interface Place {
  readonly text: string;
  readonly note: string;
  readonly path: string;
}

export interface Places {
  /** Paths of the configuration. */
  readonly settings: readonly string[];
  readonly operators: readonly { readonly operator: string; readonly name: string | null }[];
  readonly games: Games;
}

const SETTING = 'configuration';

/** Pages, values of the configuration and operators whose names have the typed words. */
export function placesOf(typed: string, { settings, operators }: Places): readonly Place[] {
  // Also those of an abbreviated wallet, `AbCd…WxYz`.
  const words = typed
    .toLowerCase()
    .split(/[\s…]+|\.{2,}/)
    .filter(Boolean);
  if (typed.trim().length < BARE_MIN) return [];
  const has = (...texts: readonly string[]) => {
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const values = settings
    .filter((path) => has(settingName(path), path))
    .toSorted((a, b) => Number(isNamed(b, typed)) - Number(isNamed(a, typed)));
  const people = operators.filter(({ operator, name }) => has(name ?? '', operator));
  return [
    ...people.map(({ operator, name }) => ({
      text: name === null ? operator : `${name} ${operator}`,
      note: 'operator',
      path: explorerPath(`actor:operator:${operator}`),
    })),
    ...pages.flatMap(([, { title: text, path }]) =>
      text && has(text) ? [{ text, note: 'page', path }] : [],
    ),
    ...values.map((path) => ({
      text: settingName(path),
      note: SETTING,
      path: settingPath(path),
    })),
  ].slice(0, SUGGESTED_MAX);
}

const begins = (text: string | undefined, typed: string): boolean =>
  text?.toLowerCase().startsWith(typed.trim().toLowerCase()) === true;

/** Whether the name of a value, or the last one of its path, begins with what is typed. */
const isNamed = (path: string, typed: string) =>
  begins(placeOf(path).name, typed) || begins(path.split('.').at(-1), typed);

/** Places and suggestions. An event type or a game that begins with what is typed is before values of the configuration. */
export function offersOf(typed: string, places: Places): readonly (Place | Suggestion)[] {
  const rank = (one: Place | Suggestion) => {
    if ('path' in one) return one.note === SETTING ? 2 : 0;
    return one.isComplete && begins(one.text.split(':')[1], typed) ? 1 : 3;
  };
  const offers = [...placesOf(typed, places), ...suggest(typed.trim(), places.games)];
  return offers.toSorted((a, b) => rank(a) - rank(b));
}

/** Suggests keys, then values of the key. */
export function suggest(typed: string, games: Games = []): readonly Suggestion[] {
  const [, key, value] = /^([a-z]+)[:=](.*)$/.exec(typed) ?? [];
  if (key === undefined) {
    const keys = (Object.keys(TOKEN_KEYS) as TokenKey[])
      .filter((name) => name.startsWith(typed.toLowerCase()))
      .map((name) => ({ text: EXAMPLES[name] ?? `${name}:`, key: name, isComplete: false }));
    return [...bareValues(typed, games), ...keys];
  }
  return valuesOf(key, games)
    .filter((known) => known.toLowerCase().includes((value ?? '').toLowerCase()))
    .toSorted((a, b) => Number(b === value) - Number(a === value))
    .slice(0, SUGGESTED_MAX)
    .map((known) => ({ text: `${key}:${known}`, key: key as TokenKey, isComplete: true }));
}

/** Tokens that a text without a key may mean: event types and games that contain it, an amount. */
function bareValues(typed: string, games: Games): readonly Suggestion[] {
  const [, number, given] = AMOUNT.exec(typed.trim()) ?? [];
  if (number !== undefined) {
    return (given ? [given] : ['', 'points', 'BSM']).flatMap((unit) => {
      const text = `amount=${number}${unit}`;
      const token = { key: 'amount', operator: '=', value: number + unit } as const;
      const assets = assetsOf(token, [token]);
      return assets.length === 0 ? [] : [{ text, key: 'amount', isComplete: true, assets }];
    });
  }
  if (typed.length < BARE_MIN) return [];
  return (['type', 'game'] as const).flatMap((key) =>
    valuesOf(key, games)
      .filter((known) => known.toLowerCase().includes(typed.toLowerCase()))
      .toSorted(
        (a, b) => Number(begins(b, typed)) - Number(begins(a, typed)) || a.length - b.length,
      )
      .slice(0, SUGGESTED_MAX)
      .map((known) => ({ text: `${key}:${known}`, key, isComplete: true })),
  );
}

function valuesOf(key: string, games: Games): readonly string[] {
  if (key === 'asset') return ['points', 'token'];
  if (key === 'type') return Object.keys(EVENTS).sort();
  if (key === 'kind') return STREAM_KINDS;
  if (key === 'game') return games.map(({ game }) => game);
  return key === 'rules' ? games.flatMap(({ rules }) => rules) : [];
}
