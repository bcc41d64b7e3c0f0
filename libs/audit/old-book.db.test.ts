import { randomBytes } from 'node:crypto';
import { append } from '@reelbook/event-store/append';
import type { ConfigState } from '@reelbook/ledger/config/decide';
import { playerStream } from '@reelbook/ledger/streams';
import { startSite, type TestSite } from '@reelbook/testing/site';
import { observeTreasury } from '@reelbook/testing/treasury';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBook } from './audit.ts';
import { forge, tamperWith } from './tamper.ts';

/** The words of version 0.1, letter by letter: it knew no exchange, no fees, no notifications. */
const GAMES =
  '{"slot-machine":{"rules":"slot-1","minStakeMinor":"100","maxStakeMinor":"100000","maxLines":25,"enabled":true}}';
const CONFIG = `{"games":${GAMES},"welcomePointsMinor":"100000","bigWinMultiple":4}`;
const [ACTIVE, NEXT] = ['a'.repeat(64), 'b'.repeat(64)];
const AFTER = '"after":{"pointsMinor":"100000","tokenMinor":"0"}';
const wallet = createWallet();
const HALF = { numerator: 1, denominator: 200 };

const configEvents: readonly [string, string][] = [
  ['ConfigChanged', `{"before":null,"after":${CONFIG},"reason":"first configuration"}`],
];
const playerEvents: readonly [string, string][] = [
  ['PlayerRegistered', `{"wallet":"${wallet.address}","publicId":"old1"}`],
  ['WelcomeGranted', `{"pointsMinor":"100000",${AFTER}}`],
  ['SeedsCommitted', `{"pair":1,"activeHash":"${ACTIVE}","nextHash":"${NEXT}"}`],
  ['ClientSeedChanged', '{"pair":1,"clientSeed":"site","by":"site"}'],
  ['SessionStarted', '{"session":"00"}'],
];
const PLAYER_TIP =
  `{"wallet":"${wallet.address}","publicId":"old1","nickname":null,"pointsMinor":"100000","tokenMinor":"0",` +
  `"seeds":{"pair":1,"activeHash":"${ACTIVE}","nextHash":"${NEXT}","clientSeed":"site","nonce":0},"rounds":0}`;

async function write(
  pool: pg.Pool,
  stream: string,
  o: { readonly tip: string; readonly events: readonly [string, string][] },
): Promise<void> {
  const claim = randomBytes(16).toString('hex');
  const meta = `{"command":"${claim}","correlation":"old","actor":"system:old"}`;
  const [result] = await append(pool, [
    {
      claim,
      requestHash: randomBytes(32).toString('hex'),
      stream,
      expectedVersion: 0,
      configVersion: null,
      marginDeltaMinor: 0n,
      mustCover: false,
      tip: o.tip,
      stateSchema: 1,
      events: o.events.map(([type, data]) => ({ type, tail: `"data":${data},"meta":${meta}}` })),
    },
  ]);
  expect(result?.status).toBe('appended');
}

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    async book(pool) {
      await write(pool, 'config', {
        tip: `{"version":1,"config":${CONFIG}}`,
        events: configEvents,
      });
      await write(pool, playerStream(wallet.address), { tip: PLAYER_TIP, events: playerEvents });
    },
  });
  await observeTreasury(site.pool, 10n ** 15n);
});
afterAll(() => site.close());

test('a book of version 0.1 goes on: its configuration has rates, its players exchange, and the audit is clean', async () => {
  expect((await site.call('/config/exchange-rates')).data).toEqual({
    exchange_rates: { points_to_tokens: 0.01, tokens_to_points: 100 },
  });
  const player = await site.login(wallet);
  const list = () => player.call<{ total: number; unread_count: number }>('/user/notifications');
  expect((await list()).data).toMatchObject({ total: 0, unread_count: 0 });
  const body = { from_type: 'points', to_type: 'token', amount: 100 };
  const exchanged = await player.call('/transaction/exchange', { body });
  expect(exchanged.data).toMatchObject({ success: true, points_balance: 900, token_balance: 1 });
  await expect.poll(async () => (await list()).data.total).toBe(1);
  expect((await list()).data.unread_count).toBe(1);
  const { findings } = await auditBook({ pool: site.pool, vault: null, onProgress: () => {} });
  expect(findings.kept).toEqual([]);
});

test('a ledger of version 0.1 asks for two admins from its first start with this build on', async () => {
  const eve = `operator:${createWallet().address}`;
  const loosened = ({ config }: ConfigState) => [
    {
      type: 'ConfigChanged',
      data: {
        ...{ before: config, reason: 'x' },
        after: { ...config, exchange: { ...config?.exchange, pointsToToken: HALF } },
      },
    },
  ];
  const faults = await tamperWith(
    site.database.pool('owner'),
    () => forge(site.pool, 'config', loosened as never, eve),
    async () => {
      const { findings } = await auditBook({ pool: site.pool, vault: null, onProgress: () => {} });
      return findings.kept.map(({ message }) => message);
    },
  );
  expect(faults).toContain(`the configuration is loosened by ${eve} alone`);
});
