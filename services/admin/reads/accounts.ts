import type { AccountMovements, BalanceExplained } from '@reelbook/contract/admin/point-in-time';
import { readMovements } from '@reelbook/inspection/account-movements';
import { explainBalance, readExplainable } from '@reelbook/inspection/explain-balance';
import { type PointInTime, readPointInTime } from '@reelbook/inspection/point-in-time';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { parseStream } from '@reelbook/ledger/streams';
import { type ExplorerFilter, Unanswerable } from '@reelbook/projections/entries/filter';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { amount, sentenceAnswer, textOf } from './convert.ts';

const MOVEMENTS_BY_DEFAULT = 50;

export function accountReads({ pool }: Admin) {
  return {
    explainBalance: async ({ query }) => ({ data: await readExplanation(pool, query) }),
    accountMovements: async ({ query }) => ({ data: await readLines(pool, query) }),
  } satisfies Partial<AdminHandlers>;
}

/** Without `at`: as of the last position that the read models explain, which may be before the head. */
export async function readExplainedAt(
  pool: pg.Pool,
  at: string | number | undefined,
): Promise<PointInTime> {
  return readPointInTime(pool, String(at ?? (await readExplainable(pool))));
}

async function readExplanation(
  pool: pg.Pool,
  query: AdminRequest<'explainBalance'>['query'],
): Promise<BalanceExplained> {
  const { account, asset } = query;
  const at = await readExplainedAt(pool, query.at);
  const from = await readPointInTime(pool, textOf(query.from) ?? '0');
  if (from.position > at.position) throw new Unanswerable('from must not be after at');
  const found = await explainBalance(pool, {
    ...{ account, asset, from: from.position, at: at.position },
  });
  const sum = found.terms.reduce((total, { minor }) => total + minor, found.openingMinor);
  return {
    ...{ account, from, at },
    opening: amount(asset, found.openingMinor),
    terms: found.terms.map(({ type, game, credit, events, minor, filter }) => ({
      ...{ type, game: game === '' ? null : game, credit, events },
      ...{ amount: amount(asset, minor), filter: filterAnswer(filter) },
    })),
    balance: amount(asset, found.balanceMinor),
    adds_up: sum === found.balanceMinor,
    since: found.since === 0 ? null : found.since,
  };
}

async function readLines(
  pool: pg.Pool,
  query: AdminRequest<'accountMovements'>['query'],
): Promise<AccountMovements> {
  const { account, asset, before, limit = MOVEMENTS_BY_DEFAULT } = query;
  const { movements, next } = await readMovements(pool, { account, asset, before, limit });
  return {
    account,
    lines: movements.map(({ recorded, deltaMinor, afterMinor }) => {
      const { position, time, event, stream } = recorded;
      const { kind, id } = parseStream(stream);
      return {
        ...{ position, time, type: event.type, ...sentenceAnswer(sentenceOf(event)) },
        player: kind === 'player' ? id : null,
        amount: amount(asset, deltaMinor),
        after: amount(asset, afterMinor),
      };
    }),
    next,
  };
}

/** The query of `explorer` that filters the same. */
export function filterAnswer(filter: ExplorerFilter): Record<string, string> {
  const parts = Object.entries(filter).map(([part, value]) => [
    part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    String(value),
  ]);
  return Object.fromEntries(parts);
}
