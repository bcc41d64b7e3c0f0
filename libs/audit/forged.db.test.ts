import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import type { ConfigState } from '@reelbook/ledger/config/decide';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { nextNotice } from '@reelbook/ledger/player/notices';
import { balancesOf, type PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';
import { type Check, Findings } from './findings.ts';

let database: TestDatabase;
let pool: pg.Pool;
let vault: SeedVault;
let ann: string;
let bob: string;
/** Of ann's first pair. */
let serverSeed: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  const wallets = [await players.register(), await players.register()];
  for (const wallet of wallets) await players.spin(wallet, 1);
  await executor.close();
  [ann = '', bob = ''] = wallets.map(playerStream);
  const { state } = await loadState(pool, playerDecider, ann);
  serverSeed = await vault.open(seedsOf(state).activeHash);
});
afterAll(() => database.drop());

type Make<State> = (state: State) => readonly LedgerEvent[];

/** The first finding of the public audit after these forged commands: each stream and what is appended to it. */
async function findingOf(...commands: readonly (readonly [string, Make<never>])[]) {
  return tamperWith(
    database.pool('owner'),
    async () => {
      for (const [stream, make] of commands)
        await forge(pool, stream, make, stream.replace('player-', 'player:'));
    },
    async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.first(),
  );
}

const seedsOf = ({ seeds }: PlayerState) => seeds ?? ({} as never);

function placed(state: PlayerState, options: Record<string, unknown> = {}): LedgerEvent {
  const { pair, nonce } = seedsOf(state);
  const after = { ...balancesOf(state), pointsMinor: state.pointsMinor - 100n };
  const round = `${state.publicId}-${state.rounds + 1}`;
  const bet = { round, game: 'slot-machine', stakeMinor: 100n, lines: 25, rules: 'slot-1' };
  return { type: 'BetPlaced', data: { ...bet, pair, nonce, after, ...options } };
}

function won(state: PlayerState, round: string): LedgerEvent {
  const after = { ...balancesOf(state), pointsMinor: state.pointsMinor + 300n };
  const bet = { round, game: 'slot-machine', outcome: {}, stakeMinor: 100n, payoutMinor: 300n };
  return { type: 'BetWon', data: { ...bet, after } };
}

function revealed(state: PlayerState): LedgerEvent {
  const { pair, activeHash: serverSeedHash, clientSeed, nonce: nonces } = seedsOf(state);
  const data = { pair, serverSeedHash, serverSeed, clientSeed, nonces };
  return { type: 'SeedRevealed', data: { ...data, notice: nextNotice(state) } };
}

function committed(state: PlayerState, options: Record<string, unknown> = {}): LedgerEvent {
  const { pair, nextHash: activeHash } = seedsOf(state);
  const nextHash = 'e'.repeat(64);
  return { type: 'SeedsCommitted', data: { pair: pair + 1, activeHash, nextHash, ...options } };
}

const cases: readonly [string, Check, () => Promise<unknown>][] = [
  [
    'a second welcome',
    'terms',
    () =>
      findingOf([
        ann,
        (state: PlayerState) => {
          const after = { ...balancesOf(state), pointsMinor: state.pointsMinor + 100n };
          return [{ type: 'WelcomeGranted', data: { pointsMinor: 100n, after } }];
        },
      ]),
  ],
  [
    'one player’s round paid to another',
    'rounds',
    () => {
      let round = '';
      return findingOf(
        [
          ann,
          (state: PlayerState) => {
            round = `${state.publicId}-${state.rounds + 1}`;
            return [placed(state)];
          },
        ],
        [bob, (state: PlayerState) => [won(state, round)]],
      );
    },
  ],
  [
    'a round number twice',
    'terms',
    () =>
      findingOf([ann, (state: PlayerState) => [placed(state, { round: `${state.publicId}-1` })]]),
  ],
  [
    'a round while another is open',
    'rounds',
    () =>
      findingOf(
        [ann, (state: PlayerState) => [placed(state)]],
        [ann, (state: PlayerState) => [placed(state)]],
      ),
  ],
  [
    'a bet by other rules',
    'terms',
    () => findingOf([ann, (state: PlayerState) => [placed(state, { rules: 'slot-2' })]]),
  ],
  [
    'a bet outside the limits',
    'terms',
    () => findingOf([ann, (state: PlayerState) => [placed(state, { lines: 26 })]]),
  ],
  [
    'a public id twice',
    'terms',
    () =>
      findingOf([
        ann,
        () => [{ type: 'PlayerRegistered', data: { wallet: bob.slice(7), publicId: 'other' } }],
      ]),
  ],
  [
    'seeds committed without revealing the active one',
    'seeds',
    () => findingOf([ann, (state: PlayerState) => [committed(state)]]),
  ],
  [
    'another player’s seed',
    'seeds',
    () => {
      let theirs = '';
      return findingOf(
        [
          bob,
          (state: PlayerState) => {
            theirs = seedsOf(state).nextHash;
            return [{ type: 'SessionStarted', data: { session: '00' } }];
          },
        ],
        [ann, (state: PlayerState) => [committed(state, { nextHash: theirs })]],
      );
    },
  ],
  [
    'a client seed in the middle of a pair',
    'seeds',
    () =>
      findingOf([
        ann,
        () => [{ type: 'ClientSeedChanged', data: { pair: 1, clientSeed: 'x', by: 'site' } }],
      ]),
  ],
  [
    'a bet between the commitment of a pair and its client seed',
    'rounds',
    () =>
      findingOf(
        [ann, (state: PlayerState) => [revealed(state), committed(state)]],
        [
          ann,
          (state: PlayerState) => {
            return [placed(state), won(state, `${state.publicId}-${state.rounds + 1}`)];
          },
        ],
      ),
  ],
  [
    'a client seed that is chosen after its pair was committed to',
    'seeds',
    () =>
      findingOf(
        [ann, (state: PlayerState) => [revealed(state), committed(state)]],
        [ann, () => [{ type: 'SessionStarted', data: { session: '00' } }]],
        [
          ann,
          () => [{ type: 'ClientSeedChanged', data: { pair: 2, clientSeed: 'x', by: 'site' } }],
        ],
      ),
  ],
  [
    'a configuration that hides the one before',
    'terms',
    () =>
      findingOf([
        'config',
        ({ config: after }: ConfigState) => [
          { type: 'ConfigChanged', data: { before: null, after, reason: 'x' } },
        ],
      ]),
  ],
  [
    'invalid data',
    'columns',
    () =>
      findingOf([
        ann,
        (state: PlayerState) => {
          const { pair, nonce } = seedsOf(state);
          return [{ type: 'BetPlaced', data: { pair, nonce, after: balancesOf(state) } }];
        },
      ]),
  ],
];

describe('an intact ledger with contradictory events', () => {
  it.each(cases)('finds %s', async (_what, check, find) => {
    expect(await find()).toMatchObject({ check, position: expect.any(Number) });
  });
});

it('the first finding is the one with the lowest position', () => {
  const findings = new Findings();
  for (let position = 1_000; position < 1_200; position++) findings.add('chain', position, 'x');
  findings.add('rounds', 7, 'found later: rounds are recomputed read by read');
  expect(findings.first()).toMatchObject({ position: 7 });
});
