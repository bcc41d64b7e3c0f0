import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminRoutes } from '@reelbook/contract/admin/routes';
import type { Examples } from '@reelbook/contract/example';
import { routes } from '@reelbook/contract/player/routes';
import { serverMessages } from '@reelbook/contract/socket';
import { games } from '@reelbook/games/rules';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { differences } from '@reelbook/simulator/api/example';
import { playTheAdminApi } from '@reelbook/simulator/api/operators-story';
import { playThePlayerApi } from '@reelbook/simulator/api/player-story';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { dice } from '@reelbook/testing/dice';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFaucet } from './faucet.ts';

const FILE = join(REPOSITORY, 'libs/contract/examples.json');
const NEVER_MS = 3_600_000;

let bank: PaymentReview;
beforeAll(async () => {
  // A round that its player leaves open stays open.
  const sweep = { everyMs: NEVER_MS, graceMs: NEVER_MS };
  bank = await startPaymentReview({ sweep, games: [...games, dice], openFaucet });
});
afterAll(() => bank?.close());

/** `npm run generate` writes the examples that have changed (`-u`); here they are compared. */
test('every call and message has an example, and is answered as its example shows', async () => {
  const players = await playThePlayerApi(bank);
  const played: Examples = { ...players, admin: await playTheAdminApi(bank) };
  const missing = (all: object, found: object) =>
    Object.keys(all).filter((name) => !(name in found));
  expect(missing(routes, played.player), 'add to simulator/api/player-story.ts').toEqual([]);
  expect(missing(adminRoutes, played.admin), 'add to simulator/api/operators-story.ts').toEqual([]);
  expect(missing(serverMessages, played.socket)).toEqual([]);
  const kept: Examples | null = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : null;
  const examples = Object.fromEntries(
    (['player', 'admin', 'socket'] as const).map((part) => [
      part,
      merged(kept?.[part], played[part]),
    ]),
  );
  await expect(`${JSON.stringify(examples, null, 1)}\n`).toMatchFileSnapshot(FILE);
});

/** What is kept, but for what is called or answered otherwise now. */
function merged(kept: Readonly<Record<string, unknown>> = {}, played: object): object {
  return Object.fromEntries(
    Object.entries(played).map(([name, now]) => {
      const before = kept[name];
      return [name, before !== undefined && differences(before, now).length === 0 ? before : now];
    }),
  );
}
