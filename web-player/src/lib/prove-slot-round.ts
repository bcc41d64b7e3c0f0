import { recomputeRound, seedMatches } from '@reelbook/games/fairness/commit';
import { createDraws } from '@reelbook/games/fairness/draw';
import { games } from '@reelbook/games/rules';
import { NO_WIN, payout, type Reels, slotRules } from '@reelbook/games/slot-machine/paytable';
import { arrangements, evaluate, readSlotOutcome } from '@reelbook/games/slot-machine/rules';
import { toMinor, toNumber } from '@reelbook/ledger/money';
import type { ReportedRound as AnyRound } from './prove-round.ts';

/** Recorded with every bet; the slot machine plays one line for any value, so no draw depends on it. */
const LINES = 25;

/** A slot round as the API returns it; amounts in points. */
export interface ReportedRound extends Omit<AnyRound, 'outcome' | 'lines' | 'choice'> {
  symbols: readonly (readonly number[])[];
  row: string;
}

/** What the server had committed to before the round. */
export interface CommittedSeeds {
  active: { server_seed_hash: string; client_seed: string; nonce: number };
  next: { server_seed_hash: string };
}

/** `null`: could not be checked, because the other side of the comparison is unknown here. */
export interface OpenCheck {
  paytable: boolean;
  commitment: boolean | null;
  clientSeed: boolean | null;
  nonce: boolean | null;
}

/** What can be checked of a round while its server seed is still secret. */
export function checkOpenRound(round: ReportedRound, committed: CommittedSeeds | null): OpenCheck {
  const paytable = paysAsPublished(round);
  if (!committed) return { paytable, commitment: null, clientSeed: null, nonce: null };
  const isActive = round.server_seed_hash === committed.active.server_seed_hash;
  // Rotated elsewhere in the meantime: there was a commitment to that seed as well, but its nonce is unknown.
  const isNext = round.server_seed_hash === committed.next.server_seed_hash;
  return {
    paytable,
    commitment: isActive || isNext,
    clientSeed: isActive ? round.client_seed === committed.active.client_seed : null,
    nonce: isActive ? followsNonce(round.nonce, committed.active.nonce) : null,
  };
}

/** A used nonce is a failure; a later one may come from another tab, which only the ledger shows. */
function followsNonce(nonce: number, next: number): boolean | null {
  if (nonce === next) return true;
  return nonce < next ? false : null;
}

/** The steps from the seeds to the payout, each as recomputed here; `ok` when every step equals the server's. */
export type Proof = ReturnType<typeof proveSlotRound>;

/**
 * Draws the round again from its revealed seed, with the code of the server and the audit. `drawn` is null when the
 * seed is not the committed one: then nothing follows from it.
 */
export function proveSlotRound(round: ReportedRound, serverSeed: string) {
  const commitment = seedMatches(serverSeed, round.server_seed_hash);
  const stakeMinor = toMinor('points', round.bet_amount);
  const game = games.find(({ rulesIds }) => rulesIds.includes(round.rules));
  if (!commitment || stakeMinor === null || !game) return { ok: false, commitment, drawn: null };
  const seeds = { serverSeed, clientSeed: round.client_seed, nonce: round.nonce };
  const again = recomputeRound({ ...seeds, serverSeedHash: round.server_seed_hash }, (draws) =>
    game.draw({ rules: round.rules, stakeMinor, lines: LINES, draws }),
  );
  if (!again) return { ok: false, commitment, drawn: null };
  const outcome = readSlotOutcome(again.result.outcome);
  const draws = createDraws(seeds);
  const arrangementCount = arrangements(outcome.row).length;
  const drawn = {
    rowDraw: draws.below(10_000),
    arrangementDraw: draws.below(arrangementCount),
    arrangementCount,
    row: outcome.row,
    symbols: outcome.symbols,
    multiple: outcome.multiple,
    win: toNumber('points', again.result.payoutMinor),
    outcomeOk: outcome.row === round.row && sameSymbols(outcome.symbols, round.symbols[0]),
    payoutOk: again.result.payoutMinor === toMinor('points', round.win_amount),
  };
  return { ok: drawn.outcomeOk && drawn.payoutOk, commitment, drawn };
}

/** Whether the symbols pay what the published rules state, for any seed. */
function paysAsPublished(round: ReportedRound): boolean {
  const stakeMinor = toMinor('points', round.bet_amount);
  const winMinor = toMinor('points', round.win_amount);
  const reels = round.symbols[0];
  if (stakeMinor === null || winMinor === null || !reels || !isReels(reels)) return false;
  if (!games.some(({ rulesIds }) => rulesIds.includes(round.rules))) return false;
  const award = evaluate(reels);
  if ((award?.row ?? NO_WIN) !== round.row) return false;
  return payout(slotRules(round.rules), award, stakeMinor) === winMinor;
}

export function isReels(symbols: readonly number[]): symbols is Reels {
  return symbols.length === 3 && symbols.every((s) => Number.isInteger(s) && s >= 1 && s <= 4);
}

function sameSymbols(a: readonly number[], b: readonly number[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((symbol, i) => symbol === b[i]);
}
