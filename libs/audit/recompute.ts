import { checkRound, drawBet } from '@reelbook/games/check';
import type { Drawn, Game } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import type { Findings } from './findings.ts';
import type { DrawnBet, SettledRound, VoidedRound } from './rounds-pass.ts';

/** The voids of one operator: what they gave back, and what the rounds would have paid. */
export interface VoidSum {
  count: number;
  returnedMinor: bigint;
  wouldHavePaidMinor: bigint;
  /** Of them, those whose seed is still secret: what they would have paid is not in the sum. */
  awaitingReveal: number;
}

/** Draws a settled round again from its seed and its rules; notes where the ledger says otherwise. */
export function recompute(
  round: SettledRound,
  serverSeed: string,
  { findings, games }: { readonly findings: Findings; readonly games: readonly Game[] },
): void {
  const { placed, settled, payoutMinor, position } = round;
  const find = (id: string) => findGame(id, games);
  const check = checkRound({ ...placed, outcome: settled.outcome, payoutMinor }, serverSeed, find);
  if (!check.ok) {
    const drawn = check.drawn
      ? `: the seeds give ${JSON.stringify(check.drawn.outcome)} paying ${check.drawn.payoutMinor}, the ledger has ${JSON.stringify(settled.outcome)} paying ${payoutMinor}`
      : '';
    findings.add('rounds', position, `round ${placed.round}: ${check.fault}${drawn}`);
    return;
  }
  checkTicks(position, placed, { findings, ticks: ticksOf(check.drawn, find(placed.game)) });
}

/** What a voided round would have paid, from its seed and its rules; null where they do not fit the bet, which is noted. */
export function drawVoided(
  { placed, position }: VoidedRound,
  serverSeed: string,
  { findings, games }: { readonly findings: Findings; readonly games: readonly Game[] },
): bigint | null {
  const find = (id: string) => findGame(id, games);
  const drawn = drawBet(placed, serverSeed, find);
  if (!drawn.ok) {
    findings.add('rounds', position, `round ${placed.round}, which was voided: ${drawn.fault}`);
    return null;
  }
  checkTicks(position, placed, { findings, ticks: ticksOf(drawn.drawn, find(placed.game)) });
  return drawn.drawn.payoutMinor;
}

const ticksOf = ({ outcome }: Drawn, game: Game | null) => game?.timed?.ticksOf(outcome);

function checkTicks(
  position: number,
  { round, timed }: DrawnBet,
  { findings, ticks }: { readonly findings: Findings; readonly ticks: number | undefined },
): void {
  if (!timed || ticks === timed.ticks) return;
  const said = `round ${round} says it lasts ${timed.ticks} ticks, its seed gives ${ticks}`;
  findings.add('rounds', position, said);
}
