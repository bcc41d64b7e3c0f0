import type {
  Amount,
  Fact as FactAnswer,
  Hold as HoldAnswer,
} from '@reelbook/contract/admin/common';
import { holdText } from '@reelbook/contract/english';
import type { Fact, Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import type { Asset, Posting } from '@reelbook/ledger/money';
import type { Sentence } from '@reelbook/ledger/sentences';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { type PlayerNamed, readPlayersNamed } from '@reelbook/projections/entries/read';
import type pg from 'pg';

/** Converts ledger data to API responses: exact amounts, names in snake case. */

export function amount(asset: Asset, minor: bigint): Amount {
  return { asset, minor: minor.toString() };
}

export const points = (minor: bigint) => amount('points', minor);
export const token = (minor: bigint) => amount('token', minor);

export function amountsOf(options: {
  readonly pointsMinor: bigint | null;
  readonly tokenMinor: bigint | null;
}): Amount[] {
  return [
    ...(options.pointsMinor === null ? [] : [points(options.pointsMinor)]),
    ...(options.tokenMinor === null ? [] : [token(options.tokenMinor)]),
  ];
}

/** Sums by asset. */
export function sumsOf(moved: readonly Pick<Posting, 'asset' | 'deltaMinor'>[]): Amount[] {
  const sums = new Map<Asset, bigint>();
  for (const { asset, deltaMinor } of moved) sums.set(asset, (sums.get(asset) ?? 0n) + deltaMinor);
  return [...sums].map(([asset, minor]) => amount(asset, minor));
}

export const postingAnswer = ({ account, asset, deltaMinor }: Posting) => ({
  account,
  amount: amount(asset, deltaMinor),
});

/** Description of an event. */
export function sentenceAnswer({ facts, text }: Sentence) {
  return { facts: factsAnswer(facts), what: text };
}

export function factsAnswer(facts: Facts): Readonly<Record<string, FactAnswer>> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, factAnswer(fact)]));
}

function factAnswer(fact: Fact): FactAnswer {
  if (typeof fact !== 'object') return fact;
  if ('asset' in fact) return amount(fact.asset, fact.minor);
  if ('hold' in fact) return { hold: holdAnswer(fact.hold) };
  if (!('untilMs' in fact)) return fact;
  return { until: fact.untilMs === null ? null : new Date(fact.untilMs).toISOString() };
}

export function holdAnswer(hold: Hold): HoldAnswer {
  return { code: hold.code, facts: factsAnswer(hold.facts), text: holdText(hold) };
}

export function playerRef({ wallet, publicId, nickname }: PlayerNamed) {
  return { wallet, public_id: publicId, nickname };
}

/** A player that the projection does not have yet has only a wallet. */
export function playerOr(wallet: string, known: ReadonlyMap<string, PlayerNamed>) {
  return playerRef(known.get(wallet) ?? { wallet, publicId: '', nickname: null });
}

/** Answers with the player of each wallet. */
export async function withPlayers<T extends { readonly player: string | null }>(
  pool: pg.Pool,
  answers: readonly T[],
) {
  const known = await readPlayersNamed(
    pool,
    answers.flatMap(({ player }) => player ?? []),
  );
  return answers.map(({ player, ...answer }) => ({
    ...answer,
    player: player === null ? null : playerOr(player, known),
  }));
}

/** A text parameter, which may have been parsed as a number. */
export function textOf(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** The query of `explorer` that filters the same. */
export function filterAnswer(filter: ExplorerFilter): Record<string, string> {
  const parts = Object.entries(filter).map(([part, value]) => [
    part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    String(value),
  ]);
  return Object.fromEntries(parts);
}
