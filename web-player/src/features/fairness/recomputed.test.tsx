import type { ProvenRound } from '@reelbook/contract/player/fairness';
import { hashServerSeed } from '@reelbook/games/fairness/commit';
import { createDraws } from '@reelbook/games/fairness/draw';
import { games } from '@reelbook/games/rules';
import { slotMachine } from '@reelbook/games/slot-machine/rules';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { queryClient } from '../../lib/queries.ts';
import { RoundProof } from './round-dialog.tsx';
import { Recomputed } from './verify-form.tsx';

const seeds = { serverSeed: '5a'.repeat(32), clientSeed: 'mine', nonce: 0 };
const versions = games.flatMap((game) => game.rulesIds.map((rules) => ({ game, rules })));

test.each(versions)('the seeds of a round of $rules are shown with its payout', (version) => {
  const draws = createDraws(seeds);
  const choice = version.game.choice?.initial;
  const markup = renderToStaticMarkup(
    <Recomputed hash="the hash" draws={draws} choice={choice} {...version} />,
  );
  const drawn = version.game.draw({
    rules: version.rules,
    choice,
    draws: createDraws(seeds),
    stakeMinor: 1_000n,
    lines: 1,
  });
  expect(markup).toContain(`${Number(drawn.payoutMinor) / 1_000}×`);
  // Without a catalogue a text is its key: the row of the reels was "row.undefined".
  expect(markup).not.toContain('undefined');
  if (version.game.id === 'slot-machine') expect(markup).toMatch(/row\.(no-win|two-|three-)/);
});

test.each([
  [400, 'round.stepPay<'],
  [401, 'round.stepPayMost<'],
])(
  'the proof of three comets for %d points names the maximum win where it applied',
  (bet, step) => {
    const drawn = (nonce: number) => {
      const draws = createDraws({ ...seeds, nonce });
      return slotMachine.draw({
        rules: 'slot-1',
        draws,
        stakeMinor: BigInt(bet) * 100n,
        lines: 25,
      });
    };
    let nonce = 0;
    while (drawn(nonce).outcome.symbols.join() !== '1,1,1') nonce++;
    const round = {
      id: 'one-1',
      round_id: 'one-1',
      type: 'game_win',
      amount: 10_000 - bet,
      description: '',
      extra_data: '{}',
      game: 'slot_machine',
      status: 'won',
      created_at: '2026-11-26T12:00:00Z',
      symbols: [[1, 1, 1]],
      row: 'three-comets',
      outcome: { symbols: [1, 1, 1] },
      lines: 25,
      bet_amount: bet,
      win_amount: 10_000,
      rules: 'slot-1',
      server_seed: seeds.serverSeed,
      server_seed_hash: hashServerSeed(seeds.serverSeed),
      client_seed: seeds.clientSeed,
      nonce,
      position: 2,
      bet_position: 1,
    } satisfies ProvenRound;
    const markup = renderToStaticMarkup(
      <QueryClientProvider client={queryClient}>
        <RoundProof round={round} />
      </QueryClientProvider>,
    );
    expect(markup).toContain('proof.verified');
    expect(markup).toContain(step);
  },
);
