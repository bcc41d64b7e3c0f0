import type { AdminData } from '@reelbook/contract/admin/routes';
import type { Asset } from '@reelbook/ledger/money';
import { assetsOf, TOKEN_KEYS, type TokenKey } from './filter.ts';

type Facets = AdminData<'facets'>;

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

/** Suggests keys, then values of the key that occur in the ledger. */
export function suggest(typed: string, facets: Facets | undefined): readonly Suggestion[] {
  const [, key, value] = /^([a-z]+)[:=](.*)$/.exec(typed) ?? [];
  if (key === undefined) {
    const keys = (Object.keys(TOKEN_KEYS) as TokenKey[])
      .filter((name) => name.startsWith(typed.toLowerCase()) && name !== typed)
      .map((name) => ({ text: EXAMPLES[name] ?? `${name}:`, key: name, isComplete: false }));
    return [...bareValues(typed, facets), ...keys];
  }
  return valuesOf(key, facets)
    .filter((known) => known.toLowerCase().includes((value ?? '').toLowerCase()))
    .slice(0, SUGGESTED_MAX)
    .map((known) => ({ text: `${key}:${known}`, key: key as TokenKey, isComplete: true }));
}

/** Tokens that a text without a key may mean: event types and games that contain it, an amount. */
function bareValues(typed: string, facets: Facets | undefined): readonly Suggestion[] {
  if (/^\d[\d,']*(\.\d+)?$/.test(typed)) {
    return ['', 'points', 'BSM'].flatMap((unit) => {
      const text = `amount=${typed}${unit}`;
      const token = { key: 'amount', operator: '=', value: typed + unit } as const;
      const assets = assetsOf(token, [token]);
      return assets.length === 0 ? [] : [{ text, key: 'amount', isComplete: true, assets }];
    });
  }
  if (typed.length < BARE_MIN) return [];
  return (['type', 'game'] as const).flatMap((key) =>
    valuesOf(key, facets)
      .filter((known) => known.toLowerCase().includes(typed.toLowerCase()))
      .slice(0, SUGGESTED_MAX)
      .map((known) => ({ text: `${key}:${known}`, key, isComplete: true })),
  );
}

function valuesOf(key: string, facets: Facets | undefined): readonly string[] {
  if (key === 'asset') return ['points', 'token'];
  if (!facets) return [];
  if (key === 'type') return facets.types;
  if (key === 'kind') return facets.kinds;
  if (key === 'game') return facets.games.map(({ game }) => game);
  if (key === 'rules') return facets.games.flatMap(({ rules }) => rules);
  return [];
}
