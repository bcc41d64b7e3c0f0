import { createDraws } from '@reelbook/games/fairness/draw';
import { games } from '@reelbook/games/rules';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
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
