import { recomputeRound, seedMatches } from '@reelbook/fairness/verify';
import { games } from '@reelbook/games/rules';
import { toMinor } from '@reelbook/ledger/money';
import { canonicalJson } from '@reelbook/proofs/canonical';

/** A round of any game as the server tells it; amounts in points. */
export interface ToldOutcome {
  outcome: object;
  lines: number;
  bet_amount: number;
  win_amount: number;
  rules: string;
  server_seed_hash: string;
  client_seed: string;
  nonce: number;
}

/** Draws it again from its revealed seed, by the code that server and audit run, and compares all of it. */
export function proveTimedRound(round: ToldOutcome, serverSeed: string): { ok: boolean } {
  const stakeMinor = toMinor('points', round.bet_amount);
  const game = games.find(({ rulesIds }) => rulesIds.includes(round.rules));
  if (!seedMatches(serverSeed, round.server_seed_hash) || stakeMinor === null || !game) {
    return { ok: false };
  }
  const { client_seed: clientSeed, nonce, server_seed_hash: serverSeedHash } = round;
  const again = recomputeRound({ serverSeed, clientSeed, nonce, serverSeedHash }, (draws) =>
    game.draw({ rules: round.rules, stakeMinor, lines: round.lines, draws }),
  );
  if (!again) return { ok: false };
  const { outcome, payoutMinor } = again.result;
  const isSame = canonicalJson(outcome) === canonicalJson(round.outcome);
  return { ok: isSame && payoutMinor === toMinor('points', round.win_amount) };
}
