/** Real rounds, drawn from committed seeds: a ledger with many events, and a win that is next. */
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead } from '@reelbook/event-store/read-log';
import { createPlayers } from '@reelbook/testing/history';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { Site } from './site.ts';

/** A spin is two events. */
const EVENTS_PER_SPIN = 2;
/** Each bet is one point, from 1,000 points: no balance reaches zero. */
const SPINS_PER_PLAYER = 100;
/** Players registered in parallel: their registrations share four connections. */
const PLAYING_MAX = 128;
/** A million events take several minutes. */
const PROJECTED = { timeout: 600_000, interval: 50 };
const LONG_MS = 60_000;

/** One of the events, with all search terms that find it. */
export interface Sought {
  readonly position: number;
  readonly hash: string;
  readonly round: string;
  readonly wallet: string;
}

/**
 * Appends `events` events to the ledger of a running site, waits until its explorer has them, and returns a bet from
 * the middle. A million take several minutes.
 */
export function seedLedger(site: Site, events: number): Promise<Sought> {
  return site.withPool(
    async (pool) => {
      const executor = startExecutor({ pool });
      const players = createPlayers({ executor, vault: site.openVault(pool) });
      let left = Math.ceil(events / EVENTS_PER_SPIN / SPINS_PER_PLAYER);
      const playOn = async () => {
        while (left-- > 0) {
          const wallet = await players.register();
          for (let n = 0; n < SPINS_PER_PLAYER; n++) await players.spin(wallet, 1);
        }
      };
      await Promise.all(Array.from({ length: PLAYING_MAX }, playOn)).finally(executor.close);
      const { position } = await readHead(pool);
      await vi.waitFor(async () => {
        const entries = (await readCheckpoints(pool)).find(({ name }) => name === 'entries');
        expect(entries?.position).toBeGreaterThanOrEqual(position);
      }, PROJECTED);
      const { rows } = await pool.query<Sought>(
        `select position, encode(hash, 'hex') as hash, body->'data'->>'round' as round,
            substr(body->>'stream', 8) as wallet
          from public.events where position >= $1 and type = 'BetPlaced' order by position limit 1`,
        [Math.floor(position / 2)],
      );
      if (!rows[0]) throw new Error('no bet follows the middle');
      return rows[0];
    },
    { max: 4 },
  );
}

/** An operator finds the event by each of its terms, and by filters that match only it. */
export async function findSought(page: Page, { consoleUrl }: Site, sought: Sought): Promise<void> {
  const chip = `Open event ${sought.position.toLocaleString('en-US')}`;
  const shows = async (typed: string, shown: number) => {
    await page.goto(`${consoleUrl}/explorer?q=${encodeURIComponent(typed)}`);
    await page.getByText(`${shown} shown`, { exact: true }).waitFor({ timeout: LONG_MS });
    await page.getByRole('link', { name: chip }).first().waitFor({ timeout: LONG_MS });
  };
  await shows(`round:${sought.round}`, 2);
  await shows(`hash:${sought.hash}`, 1);
  const near = `position>=${sought.position - 5} position<=${sought.position}`;
  await shows(`player:${sought.wallet} type:BetPlaced asset:points amount<=1 ${near}`, 1);
  await page.keyboard.press('/');
  await page.keyboard.type(sought.hash);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/events/${sought.position}`);
}
