import { isDeepStrictEqual } from 'node:util';
import { checkRound, drawBet } from '@reelbook/games/check';
import type { Drawn, Game } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import { toText } from '@reelbook/ledger/money';
import type { Findings } from './findings.ts';
import type { DrawnBet, SettledRound, VoidedRound } from './rounds-pass.ts';

/** The voids of one operator: what was returned, and what the rounds would have paid. */
export interface VoidSum {
  count: number;
  returnedMinor: bigint;
  wouldHavePaidMinor: bigint;
  /** Those whose seed is still secret: the sum omits what they would have paid. */
  awaitingReveal: number;
}

/** Draws a settled round again from its seed and its rules; reports differences from the ledger. */
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
      ? `: ${describeDifference(check.drawn, { outcome: settled.outcome, payoutMinor })}`
      : '';
    findings.add('rounds', position, `round ${placed.round}: ${check.fault}${drawn}`);
    return;
  }
  checkTicks(position, placed, { findings, ticks: ticksOf(check.drawn, find(placed.game)) });
}

/** What a voided round would have paid, from its seed and rules; null where they do not fit the bet, which is reported. */
export function drawVoided(
  { placed, position }: VoidedRound,
  serverSeed: string,
  { findings, games }: { readonly findings: Findings; readonly games: readonly Game[] },
): bigint | null {
  const find = (id: string) => findGame(id, games);
  const drawn = drawBet(placed, serverSeed, find);
  if (!drawn.ok) {
    findings.add('rounds', position, `voided round ${placed.round}: ${drawn.fault}`);
    return null;
  }
  checkTicks(position, placed, { findings, ticks: ticksOf(drawn.drawn, find(placed.game)) });
  return drawn.drawn.payoutMinor;
}

/** Equal outcomes are left out. */
function describeDifference(drawn: Drawn, recorded: Drawn): string {
  const isSame = isDeepStrictEqual(drawn.outcome, recorded.outcome);
  const describe = isSame
    ? ({ payoutMinor }: Drawn) => toText('points', payoutMinor)
    : describeDraw;
  return `the seeds give ${describe(drawn)}; the ledger has ${describe(recorded)}`;
}

function describeDraw({ outcome, payoutMinor }: Drawn): string {
  return `${JSON.stringify(outcome)} paying ${toText('points', payoutMinor)}`;
}

const ticksOf = ({ outcome }: Drawn, game: Game | null) => game?.timed?.ticksOf(outcome);

function checkTicks(
  position: number,
  { round, timed }: DrawnBet,
  { findings, ticks }: { readonly findings: Findings; readonly ticks: number | undefined },
): void {
  if (!timed || ticks === timed.ticks) return;
  const message = `round ${round} lasts ${timed.ticks} ticks; its seed gives ${ticks}`;
  findings.add('rounds', position, message);
}
