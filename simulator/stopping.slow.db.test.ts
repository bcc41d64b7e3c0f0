/** What SIGTERM and SIGINT do to services that are busy: what `docker compose stop` and Ctrl-C send. */

import { auditLedger } from '@reelbook/audit/audit';
import type { BetResult } from '@reelbook/contract/player/games';
import { SOCKET_PATH } from '@reelbook/contract/route';
import { closeCodes } from '@reelbook/contract/socket';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { readHead } from '@reelbook/event-store/read-log';
import { readSolvency } from '@reelbook/payments/solvency';
import { projections } from '@reelbook/projections/all';
import { replayAndCompare } from '@reelbook/projections/compare';
import { freePort } from '@reelbook/runtime/ports';
import { addOperator } from '@reelbook/testing/operators';
import { SEED } from '@reelbook/testing/seeds';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { attempt, must } from './client/api.ts';
import type { Journal } from './client/journal.ts';
import { takeMoneyTrip } from './client/money-trip.ts';
import { Player, SPIN_PATH } from './client/player.ts';
import { playMore } from './runs/play-through.ts';
import { type PayingStage, startPayingStage } from './stages/paying-processes.ts';
import { readCommands } from './verdict/ledger.ts';
import { examineStream, untilRecovered } from './verdict/recovered.ts';
import { judge } from './verdict/spins.ts';

const BSM = 1_000_000_000n;
/** First events of commands that no journal contains. */
const MONEY = /^(Exchanged|DepositCredited|Withdrawal\w+)$/;
/** BSM that each player deposits and exchanges: as many points as in a crash run. */
const BROUGHT = 10;
const TIMEOUT_MS = 600_000;
/** Generous: the test checks whether an answer comes, not when. */
const PATIENCE_MS = 200_000;

let stage: PayingStage;
let consoleUrl: string;
const journals: Journal[] = [];

beforeAll(async () => {
  stage = await startPayingStage();
  const adminPort = String(await freePort());
  consoleUrl = `http://127.0.0.1:${adminPort}`;
  for (const name of ['gateway', 'cashier', 'publisher', 'projector']) stage.start(name, name);
  stage.start('auditor', 'auditor/serve', { SEAL_EVERY_EVENTS: '16' });
  stage.start('admin', 'admin', { ADMIN_PORT: adminPort });
  await stage.ready();
}, TIMEOUT_MS);
afterAll(() => stage.stop(), TIMEOUT_MS);

test(
  'a gateway answers requests in flight, closes its sockets with `restart`, and exits with 0',
  async () => {
    const { origin, database } = stage;
    const player = new Player({ origins: [origin], seed: SEED });
    const { journal } = player;
    journals.push(journal);
    const token = await enter(player);
    const socket = await openSocket(token);
    const answers: BetResult[] = [];
    const held = { key: 'held', betAmount: 1, tries: 0, answers, refusal: null, waitedMs: 0 };
    journal.spins.push(held);
    const bet = async () => {
      const body = { bet_amount: held.betAmount, lines: 25 };
      const call = { token, body, key: held.key, timeoutMs: PATIENCE_MS, journal };
      const answer = await attempt<BetResult>(origin, SPIN_PATH, call);
      if (answer) answers.push(answer.data);
    };
    const owner = await database.pool('owner', 1).connect();
    await owner.query('begin');
    await owner.query('select 1 from ledger_head for update');
    // It is refused as retryable when it waited too long; then the next one waits.
    let betting: Promise<void> | null = null;
    await vi.waitFor(async () => {
      betting ??= bet().finally(() => {
        betting = null;
      });
      const { rowCount } = await owner.query(`select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'reelbook-gateway'
          and wait_event_type = 'Lock'`);
      expect(rowCount).toBeGreaterThan(0);
    }, WAIT);
    const ended = stage.named('gateway').end('SIGTERM');
    expect(await socket.code).toBe(closeCodes.restart);
    await owner.query('commit');
    owner.release();
    expect(await ended).toBe(0);
    await betting;
    // Answered, or refused as retryable.
    expect(journal.unserved.silent).toBe(0);
    stage.start('gateway-again', 'gateway');
    await stage.ready();
    await bet();
  },
  TIMEOUT_MS,
);

test(
  'all others exit with 0 while working and release their leases; their successors continue, and nothing is lost',
  async () => {
    const { chain, origin, pool, natsUrl } = stage;
    const player = new Player({ origins: [origin], seed: SEED + 1 });
    journals.push(player.journal);
    await enter(player);
    const traveller = createWallet();
    await chain.fund(50n * BSM, traveller);
    const stop = new AbortController();
    const playing = player.play(stop.signal);
    await untilAtWork();
    const auditing = await startAudit();
    await takeMoneyTrip({
      origin,
      rpcUrl: chain.local.url,
      wallet: traveller,
      disturb: () => endAllOthers(auditing),
    });
    await playMore([player]);
    stop.abort();
    await playing;
    player.leave();

    const services = ['gateway', 'publisher', 'projector'].map((name) =>
      stage.named(`${name}-again`),
    );
    const patient = { services, gateways: [origin], natsUrl };
    expect(await untilRecovered(patient, pool, WAIT.timeout)).toEqual([]);
    await expectSound();
  },
  TIMEOUT_MS,
);

/** One that still starts would end too, but with nothing in hand. */
async function untilAtWork(): Promise<void> {
  const words = { publisher: 'publishing', projector: 'projecting', auditor: 'sealed' };
  for (const [name, word] of Object.entries({ ...words, admin: 'console listening' })) {
    await vi.waitFor(() => expect(stage.logOf(name)).toContain(`"msg":"${word}"`), WAIT);
  }
}

/** Sends SIGTERM or SIGINT to all but the gateway at the same time, then starts replacements. */
async function endAllOthers(auditing: number): Promise<void> {
  const signals = {
    ...({ cashier: 'SIGTERM', projector: 'SIGTERM', admin: 'SIGTERM' } as const),
    ...({ publisher: 'SIGINT', auditor: 'SIGINT' } as const),
  };
  const ending = Object.entries(signals).map(
    async ([name, signal]) => [name, await stage.named(name).end(signal)] as const,
  );
  const ended = Object.fromEntries(await Promise.all(ending));
  expect(ended).toEqual({ cashier: 0, projector: 0, admin: 0, publisher: 0, auditor: 0 });
  // No process has to wait for the end of a lease.
  const followers = await readCheckpoints(stage.pool);
  const names = followers.map(({ name }) => name);
  const all = ['cashier', 'publisher', ...projections.map(({ name }) => name)];
  expect(names).toEqual(expect.arrayContaining(all));
  expect(followers.filter(({ holder }) => holder !== null)).toEqual([]);
  const { rows } = await stage.pool.query('select state from admin_jobs where id = $1', [auditing]);
  expect(['done', 'cancelled']).toContain(rows[0]?.state);
  for (const name of ['cashier', 'publisher', 'projector']) stage.start(`${name}-again`, name);
}

/** Has the console audit the ledger. @returns the job. */
async function startAudit(): Promise<number> {
  const auditor = createWallet();
  await addOperator(stage.pool, auditor.address, 'auditor');
  const signIn = { body: auditor.signIn(Date.now()) };
  const { token } = await must<{ token: string }>(consoleUrl, '/admin/auth/sign-in', signIn);
  const job = await must<{ id: number }>(consoleUrl, '/admin/jobs/audit', { token, body: {} });
  return job.id;
}

/** Logs in and brings what to play with. @returns the token. */
async function enter(player: Player): Promise<string> {
  const { chain, origin } = stage;
  const { wallet } = player;
  await chain.fund(BigInt(BROUGHT) * BSM, wallet);
  const token = await player.enter();
  await chain.deposit(wallet, BigInt(BROUGHT) * BSM);
  await vi.waitFor(async () => {
    const balance = await must<{ token_balance: number }>(origin, '/user/balance', { token });
    expect(balance.token_balance).toBe(BROUGHT);
  }, WAIT);
  const body = { from_type: 'token', to_type: 'points', amount: BROUGHT };
  await must(origin, '/transaction/exchange', { token, body });
  return token;
}

/** Resolves when it is open. `code` is the one that it is closed with. */
async function openSocket(token: string): Promise<{ readonly code: Promise<number> }> {
  const socket = new WebSocket(
    `${stage.origin.replace(/^http/, 'ws')}${SOCKET_PATH}?token=${token}`,
  );
  const code = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  return { code };
}

async function expectSound(): Promise<void> {
  const { chain, pool, natsUrl, services } = stage;
  const streams = new Set(journals.map(({ wallet }) => `player-${wallet}`));
  const commands = [...(await readCommands(pool)).values()].filter(
    (command) => streams.has(command[0]?.stream ?? '') && !MONEY.test(command[0]?.event.type ?? ''),
  );
  expect(judge(commands, journals).faults).toEqual([]);
  expect(journals.flatMap(({ faults }) => faults)).toEqual([]);
  expect(services.flatMap(({ faults }) => faults)).toEqual([]);
  await vi.waitFor(async () => {
    const now = await readSolvency(pool);
    const onChainMinor = (await chain.chain.treasury()).tokenMinor;
    expect(now).toMatchObject({ inFlightMinor: 0n, onChainMinor });
  }, WAIT);
  const { findings, seals } = await auditLedger({ pool, vault: null, onProgress: () => {} });
  expect(findings.kept).toEqual([]);
  expect(seals.count).toBeGreaterThan(0);
  for (const projection of projections) {
    const compared = await replayAndCompare(pool, projection);
    expect(compared, projection.name).toMatchObject({ equal: true });
  }
  if (natsUrl === null) return;
  const stream = await examineStream(natsUrl, pool);
  expect(stream.faults).toEqual([]);
  expect(stream.commands).toBe((await readCommands(pool)).size);
  expect((await readHead(pool)).position).toBeGreaterThan(0);
}
