import { drawBet } from '@reelbook/games/check';
import { seedMatches } from '@reelbook/games/fairness/commit';
import type { Drawn } from '@reelbook/games/game';
import { canonicalJson } from '@reelbook/games/proofs/canonical';
import { games } from '@reelbook/games/rules';
import { toMinor } from '@reelbook/ledger/money';
import type { Choice } from '@reelbook/ledger/player/events';

/** A round of any game as the API returns it; amounts in points. */
export interface ReportedRound {
  outcome: object;
  lines: number;
  choice?: Choice;
  bet_amount: number;
  win_amount: number;
  rules: string;
  server_seed_hash: string;
  client_seed: string;
  nonce: number;
}

/** What a voided round would have paid, in minor units, from its revealed seed; null for another seed. */
export function wouldHavePaid(round: ReportedRound, serverSeed: string): bigint | null {
  return drawAgain(round, serverSeed)?.payoutMinor ?? null;
}

/** Draws the round again from its revealed seed, with the code of server and audit, and compares all of it. */
export function proveRound(round: ReportedRound, serverSeed: string): { ok: boolean } {
  const again = drawAgain(round, serverSeed);
  if (!again) return { ok: false };
  const { outcome, payoutMinor } = again;
  const isSame = canonicalJson(outcome) === canonicalJson(round.outcome);
  return { ok: isSame && payoutMinor === toMinor('points', round.win_amount) };
}

function drawAgain(round: ReportedRound, serverSeed: string): Drawn | null {
  const stakeMinor = toMinor('points', round.bet_amount);
  const game = games.find(({ rulesIds }) => rulesIds.includes(round.rules));
  if (!seedMatches(serverSeed, round.server_seed_hash) || stakeMinor === null || !game) return null;
  const {
    rules,
    lines,
    choice,
    nonce,
    client_seed: clientSeed,
    server_seed_hash: serverSeedHash,
  } = round;
  const bet = {
    game: game.id,
    rules,
    lines,
    choice,
    stakeMinor,
    clientSeed,
    nonce,
    serverSeedHash,
  };
  return drawBet(bet, serverSeed).drawn;
}
