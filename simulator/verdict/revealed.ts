import { checkRound, type PlayedRound } from '@reelbook/games/check';
import { toMinor } from '@reelbook/ledger/money';
import type { Journal } from '../client/journal.ts';

type Paid = Pick<PlayedRound, 'game' | 'lines' | 'outcome'> & {
  readonly begun: {
    readonly rules: string;
    readonly bet_amount: number;
    readonly server_seed_hash: string;
    readonly client_seed: string;
    readonly nonce: number;
  };
  readonly paid: number;
};

/** Draws each acknowledged round of a player again from the revealed seeds, as the player's browser does. */
export function verifyRevealed(journal: Journal): { verified: number; faults: readonly string[] } {
  const all: Paid[] = [
    ...journal.spins.flatMap(({ answers: [spin] }) => {
      if (!spin) return [];
      const outcome = { symbols: spin.symbols[0] ?? [] };
      const { lines, total_win: paid } = spin;
      return [{ game: 'slot-machine', lines, outcome, begun: spin, paid }];
    }),
    ...journal.rounds.flatMap(({ begun, ended }) =>
      ended
        ? [{ game: begun.game, lines: 1, outcome: ended.outcome, begun, paid: ended.reward }]
        : [],
    ),
  ];
  const faults = all.flatMap(({ begun, paid, ...played }) => {
    const { server_seed_hash: serverSeedHash, client_seed: clientSeed, nonce, rules } = begun;
    const check = checkRound(
      {
        ...played,
        rules,
        serverSeedHash,
        clientSeed,
        nonce,
        stakeMinor: toMinor('points', begun.bet_amount) ?? 0n,
        payoutMinor: toMinor('points', paid) ?? 0n,
      },
      journal.revealed.get(serverSeedHash) ?? '',
    );
    return check.ok ? [] : [`${played.game}, nonce ${nonce} does not verify: ${check.fault}`];
  });
  return { verified: all.length - faults.length, faults };
}
