import {
  COUNT_MAX,
  type ExplorerEntry as EntryAnswer,
  type ExplorerPage,
  type Facets,
} from '@reelbook/contract/admin/explorer';
import { readHead } from '@reelbook/event-store/read-log';
import { findAnything } from '@reelbook/inspection/find';
import { EVENT_TYPES, STREAM_KINDS } from '@reelbook/ledger/event-types';
import { entries as entriesModel, LINES } from '@reelbook/projections/entries/projection';
import {
  countMatches,
  type ExplorerEntry,
  readExplorer,
  readSince,
} from '@reelbook/projections/entries/read';
import { readReached } from '@reelbook/projections/projection';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { amountsOf, playerRef, sentenceAnswer } from './convert.ts';
import { filterOf } from './filter-of.ts';

const PAGE_BY_DEFAULT = 50;

export function explorerReads(admin: Admin) {
  const { pool } = admin;
  return {
    explorer: async ({ query }) => ({ data: await readPage(admin, query) }),
    countMatches: async ({ query }) => {
      const count = await countMatches(pool, { filter: filterOf(query), max: COUNT_MAX + 1 });
      return { data: { count: Math.min(count, COUNT_MAX), more: count > COUNT_MAX } };
    },
    facets: async () => ({ data: facetsOf(admin) }),
    find: async ({ query }) => {
      const matches = await findAnything(pool, String(query.q));
      return {
        data: {
          matches: matches.map(({ filter, ...rest }) => ({ ...rest, filter: queryOf(filter) })),
        },
      };
    },
  } satisfies Partial<AdminHandlers>;
}

async function readPage(
  { pool }: Admin,
  query: AdminRequest<'explorer'>['query'],
): Promise<ExplorerPage> {
  const { before, after, limit = PAGE_BY_DEFAULT, ...parts } = query;
  const filter = filterOf(parts);
  const [{ position: head }, reached] = await Promise.all([
    readHead(pool),
    readReached(pool, entriesModel),
  ]);
  if (after !== undefined) {
    const { entries, tail } = await readSince(pool, { filter, after, limit });
    return { entries: entries.map(entryAnswer), next: null, tail, head, reached };
  }
  const { entries, next } = await readExplorer(pool, { filter, before, limit });
  return { entries: entries.map(entryAnswer), next, tail: reached, head, reached };
}

function entryAnswer(entry: ExplorerEntry): EntryAnswer {
  const { position, time, type, sentence, player, round, signature, withdrawal } = entry;
  return {
    ...{ position, time, type, round, signature, withdrawal },
    ...sentenceAnswer(sentence),
    player: player && playerRef(player),
    amounts: amountsOf(entry),
  };
}

const ACCOUNTS = LINES.filter((line) => line !== 'players');

function facetsOf({ games }: Admin): Facets {
  return {
    types: Object.keys(EVENT_TYPES).sort(),
    kinds: [...STREAM_KINDS],
    games: games.map(({ id, title, rulesIds }) => ({ game: id, title, rules: [...rulesIds] })),
    accounts: [...ACCOUNTS],
    lines: [...LINES],
  };
}

/** A filter of one identifier as a query. */
function queryOf(filter: object): Record<string, string> {
  const named = Object.entries(filter).map(([part, value]) => [
    part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    String(value),
  ]);
  return Object.fromEntries(named);
}
