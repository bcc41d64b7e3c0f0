import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookUpAnchors } from '@reelbook/audit/anchors-on-chain';
import { auditBook } from '@reelbook/audit/audit';
import { readSolvency } from '@reelbook/payments/solvency';
import { freePort } from '@reelbook/runtime/ports';
import { programPath } from '@reelbook/runtime/settings';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { type Service, startService } from '@reelbook/testing/crash/service';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { takeMoneyTrip } from '@reelbook/testing/money-trip';
import { natsAvailable, startNats, type TestNats } from '@reelbook/testing/nats';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const WAIT = { timeout: 60_000, interval: 250 };
const START_TIMEOUT_MS = 120_000;
const BLOCKS_EVERY_MS = 100;
const NOWHERE = 'nats://127.0.0.1:1';
const FUNDED = 60_000_000_000n;

let chain: TestChain;
let database: TestDatabase;
let nats: TestNats | null;
let folder: string;
let origin: string;
let blocks: NodeJS.Timeout;
let environment: Record<string, string>;
const services: Service[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startTestChain(), createDatabase()]);
  nats = natsAvailable() ? await startNats() : null;
  folder = mkdtempSync(join(tmpdir(), 'reelbook-processes-'));
  mkdirSync(join(folder, 'logs'));
  const port = String(await freePort());
  origin = `http://127.0.0.1:${port}`;
  const secret = () => randomBytes(32).toString('hex');
  environment = {
    PATH: programPath().join(':'),
    DATABASE_URL: database.url,
    NATS_URL: nats?.url ?? NOWHERE,
    ...{ SEED_KEY: secret(), SESSION_KEY: secret(), RECEIPT_KEY: secret() },
    SOLANA_RPC_URL: chain.local.urls.join(','),
    SOLANA_NETWORK: 'localnet',
    TOKEN_MINT: chain.token.mint.address,
    TREASURY_WALLET: chain.treasury.address,
    ...{ PORT: port, LOG_LEVEL: 'info' },
  };
  const key = JSON.stringify([...chain.treasury.secret]);
  // The cashier comes first, and waits for a gateway to say what the book is of.
  start('cashier', 'cashier', { TREASURY_KEY: key });
  for (const name of ['gateway', 'publisher', 'projector']) start(name, name);
  blocks = setInterval(() => chain.finalize(), BLOCKS_EVERY_MS);
  await vi.waitFor(async () => expect((await fetch(`${origin}/ready`)).status).toBe(200), WAIT);
  const pool = database.pool('app');
  await vi.waitFor(async () => expect((await readSolvency(pool)).slot).not.toBeNull(), WAIT);
}, START_TIMEOUT_MS);
afterAll(async () => {
  clearInterval(blocks);
  await Promise.all(services.map((service) => service.stop()));
  await nats?.stop();
  await chain.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function start(name: string, main: string, extra: Record<string, string> = {}): void {
  const logFolder = join(folder, 'logs');
  services.push(startService({ name, main, environment: { ...environment, ...extra }, logFolder }));
}
const named = (name: string) => services.find((service) => service.name === name);

test('money goes all the way through processes of their own, and book and chain agree to the last unit', async () => {
  const wallet = createWallet();
  await chain.fund(FUNDED, wallet);
  const opening = (await chain.chain.treasury()).tokenMinor;
  const trip = await takeMoneyTrip({
    ...{ origin, rpcUrl: chain.local.url, wallet },
    async disturb() {
      await Promise.all([named('cashier')?.kill(0), named('projector')?.kill(0)]);
    },
  });
  const onChain = opening + trip.depositedMinor - trip.receivedMinor;
  expect((await chain.chain.treasury()).tokenMinor).toBe(onChain);
  expect(await chain.chain.walletBalance(wallet.address)).toBe(
    FUNDED - trip.depositedMinor + trip.receivedMinor,
  );
  const pool = database.pool('app');
  await vi.waitFor(async () => {
    const now = await readSolvency(pool);
    expect(now).toMatchObject({ inFlightMinor: 0n, onChainMinor: onChain, liabilitiesMinor: 0n });
    // What is not the house's opening came from the player: the fee, and what the games kept.
    expect(opening + now.feesMinor + now.houseMinor).toBe(onChain);
  }, WAIT);
  const { findings, anchors } = await auditBook({ pool, vault: null, onProgress: () => {} });
  const compared = { pool, urls: chain.local.urls, anchors: anchors.newest, findings };
  await lookUpAnchors({ ...compared, onProgress: () => {} });
  expect(findings.kept).toEqual([]);
  expect(services.flatMap(({ faults }) => faults)).toEqual([]);
});

test('a book of real money is served by no gateway that plays, and its key reaches no log', async () => {
  const { SOLANA_RPC_URL, TOKEN_MINT, TREASURY_WALLET, ...rest } = environment;
  expect([SOLANA_RPC_URL, TOKEN_MINT, TREASURY_WALLET]).not.toContain(undefined);
  const port = String(await freePort());
  const logFolder = join(folder, 'logs');
  const playing = startService({
    ...{ name: 'playing', main: 'gateway', logFolder },
    environment: { ...rest, PORT: port, PLAY_MONEY: 'yes' },
  });
  const forgetful = startService({
    ...{ name: 'forgetful', main: 'gateway', logFolder },
    environment: { ...rest, PORT: port },
  });
  const said = (name: string) => readFileSync(join(logFolder, `${name}.log`), 'utf8');
  await vi.waitFor(() => {
    expect(said('playing')).toContain('This book is of real money');
    expect(said('forgetful')).toContain('Set SOLANA_RPC_URL, or PLAY_MONEY=yes');
  }, WAIT);
  await Promise.all([playing.stop(), forgetful.stop()]);
  for (const { name } of services) {
    expect(said(name)).not.toContain(Buffer.from(chain.treasury.secret).toString('base64'));
    expect(said(name)).not.toContain(`${chain.treasury.secret.slice(0, 6).join(',')},`);
  }
});
