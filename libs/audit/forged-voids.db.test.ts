/** Voided rounds that break the limits or the four-eyes rule. */
import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { createDraws } from '@reelbook/games/fairness/draw';
import { snake } from '@reelbook/games/snake/rules';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { OperatorsState } from '@reelbook/ledger/operators/state';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { BetVoided } from '@reelbook/ledger/player/events';
import { nextNotice } from '@reelbook/ledger/player/notices';
import { balancesOf, type PlayerState } from '@reelbook/ledger/player/state';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

const DAY_MS = 24 * 3_600_000;
const [ANN, BOB] = [createWallet(1).address, createWallet(2).address];
const [ann, bob] = [`operator:${ANN}`, `operator:${BOB}`];
const reason = 'as agreed';
const STAKE = 1_000n;
const UNCOUNTED = /was voided by one operator without being counted/;

let database: TestDatabase;
let pool: pg.Pool;
let vault: SeedVault;
let player: string;
let serverSeed: string;
let today: number;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  player = await players.register();
  await executor.close();
  await addOperator(pool, ANN, 'operator');
  await addOperator(pool, BOB, 'operator');
  for (const operator of [ANN, BOB]) await signInOperator(pool, operator);
  const { state } = await loadState(pool, playerDecider, playerStream(player));
  serverSeed = await vault.open(state.seeds?.activeHash ?? '');
  today = Math.floor(Date.now() / DAY_MS);
});
afterAll(() => database.drop());

type Step = readonly [
  stream: string,
  actor: string,
  make: (state: never) => readonly LedgerEvent[],
];
const onPlayer = (actor: string, make: (state: PlayerState) => LedgerEvent): Step => [
  ...([playerStream(player), actor] as const),
  (state: never) => [make(state)],
];

/** The draw of the next round's seed, and its start. */
function draw({ seeds }: PlayerState, nonce = seeds?.nonce ?? 0) {
  const draws = createDraws({ serverSeed, clientSeed: seeds?.clientSeed ?? '', nonce });
  return snake.draw({ rules: 'snake-1', stakeMinor: STAKE, lines: 1, draws });
}
const begun = (moreTicks = 0) =>
  onPlayer(`player:${player}`, (state) => {
    const { pair = 0, nonce = 0 } = state.seeds ?? {};
    const bet = { game: 'snake', stakeMinor: STAKE, lines: 1, rules: 'snake-1' };
    const { ticks } = draw(state).outcome;
    const data = {
      round: `${state.publicId}-${state.rounds + 1}`,
      ...bet,
      pair,
      nonce,
      after: { ...balancesOf(state), pointsMinor: state.pointsMinor - STAKE },
      timed: { ticks: ticks + moreTicks, tickMs: 60_000 },
    };
    return { type: 'BetPlaced', data };
  });

const roundOf = (state: PlayerState) => state.timed?.snake?.round ?? '';

/** A void by Ann alone, with the forged parts. */
function voided(options: Partial<BetVoided['data']> = {}, actor = ann): Step {
  return onPlayer(actor, (state) => {
    const decided = { by: ann, reason, day: today };
    const after = { ...balancesOf(state), pointsMinor: state.pointsMinor + STAKE };
    const data = { round: roundOf(state), game: 'snake', stakeMinor: STAKE, ...decided };
    return { type: 'BetVoided', data: { ...data, ...options, after, notice: nextNotice(state) } };
  });
}
/** The count in an operator's allowance of the open round, or of something else. */
function counted(
  options: { operator?: string; deltaMinor?: bigint; round?: string; day?: number } = {},
): Step {
  const operator = options.operator ?? ANN;
  return [
    OPERATORS_STREAM,
    `operator:${operator}`,
    (state: never) => {
      const { [operator]: known } = (state as OperatorsState).allowances ?? {};
      const usedBefore = { pointsMinor: known?.pointsMinor ?? 0n, tokenMinor: 0n };
      const { deltaMinor = STAKE } = options;
      const usedAfter = { ...usedBefore, pointsMinor: usedBefore.pointsMinor + deltaMinor };
      const { round = openRound, day = today } = options;
      const what = { operator, player, asset: 'points', deltaMinor, round };
      return [{ type: 'AllowanceUsed', data: { ...what, day, usedBefore, usedAfter } }];
    },
  ];
}
let openRound = '';

/** The audit's findings about operators and rounds in a ledger with these commands, and its voids. */
async function audited(steps: readonly Step[], withSeeds = false) {
  return tamperWith(
    database.pool('owner'),
    async () => {
      for (const [stream, actor, make] of steps) {
        const { state } = await loadState(pool, playerDecider, playerStream(player));
        openRound = roundOf(state);
        await forge(pool, stream, make, actor);
      }
    },
    async () => {
      const o = { pool, vault: withSeeds ? vault : null, onProgress: () => {} };
      const { findings, voids } = await auditLedger(o);
      const kept = findings.kept.filter(({ check }) =>
        ['operators', 'rounds', 'columns'].includes(check),
      );
      return { faults: kept.map(({ message }) => message), voids };
    },
  );
}
const faultsOf = async (...steps: readonly Step[]) => (await audited(steps)).faults;

it('finds nothing when a void was counted', async () => {
  expect(await faultsOf(begun(), counted(), voided())).toEqual([]);
});

it.each<readonly [string, RegExp, () => readonly Step[]]>([
  ['not counted', UNCOUNTED, () => [begun(), voided()]],
  [
    "counted in another operator's allowance",
    UNCOUNTED,
    () => [begun(), counted({ operator: BOB }), voided()],
  ],
  [
    'counted for less than its stake',
    UNCOUNTED,
    () => [begun(), counted({ deltaMinor: 1n }), voided()],
  ],
  [
    'counted for another round',
    UNCOUNTED,
    () => [begun(), counted({ round: 'another-1' }), voided()],
  ],
  ['counted on the day before', UNCOUNTED, () => [begun(), counted({ day: today - 1 }), voided()]],
  [
    'counted once for two rounds',
    UNCOUNTED,
    () => [begun(), counted(), voided(), begun(), voided()],
  ],
  [
    'without a recorded decision',
    /it is no BetVoided: .*by, day/,
    () => [begun(), voided({ by: undefined, day: undefined } as never)],
  ],
  [
    "in another's name",
    /BetVoided in another's name/,
    () => [begun(), counted(), voided({ by: bob })],
  ],
  [
    'for a past day',
    /counted for another day/,
    () => [begun(), counted(), voided({ day: today - 3 })],
  ],
  [
    'for no day',
    /it is no BetVoided: .*day/,
    () => [begun(), counted(), voided({ day: undefined } as never)],
  ],
  [
    'approved and never proposed',
    /proposal 3 should not have been executed: no-such-proposal/,
    () => [
      begun(),
      voided({ proposal: { number: 3, by: ann, approvals: [bob] } }, 'system:approvals'),
    ],
  ],
  [
    'approved by a number',
    /it is no BetVoided: \/proposal must be object/,
    () => [begun(), voided({ proposal: 3 as never })],
  ],
])('finds a void that was %s', async (_how, fault, steps) => {
  expect(await faultsOf(...steps())).toContainEqual(expect.stringMatching(fault));
});

it("finds a void above one operator's daily limit for a player, adjustments included", async () => {
  const max = defaultConfig.adjust.singleOperatorMaxPointsMinor;
  const adjusted: Step = onPlayer(ann, (state) => {
    const [before, deltaMinor] = [balancesOf(state), max - STAKE + 1n];
    const requested = {
      adjustment: `${state.publicId}-a1`,
      asset: 'points',
      deltaMinor,
      by: ann,
      reason,
    };
    const after = { ...before, pointsMinor: before.pointsMinor + deltaMinor };
    const data = {
      ...requested,
      day: today,
      before,
      after,
    };
    return { type: 'BalanceAdjusted', data: { ...data, notice: nextNotice(state) } };
  });
  const fault = 'one operator adjusted and returned more than the limit';
  expect(await faultsOf(begun(), adjusted, counted(), voided())).toContain(fault);
  expect(await faultsOf(begun(), counted(), voided(), adjusted)).toContain(fault);
});

it('does not count a void as an adjustment', async () => {
  const adjusted: Step = onPlayer(ann, (state) => {
    const before = balancesOf(state);
    const requested = { adjustment: `${state.publicId}-a1`, asset: 'points', deltaMinor: STAKE };
    const after = { ...before, pointsMinor: before.pointsMinor + STAKE };
    const decided = { by: ann, reason, day: today };
    const data = { ...requested, ...decided, before, after, notice: nextNotice(state) };
    return { type: 'BalanceAdjusted', data };
  });
  expect(await faultsOf(counted({ round: 'another-1' }), adjusted)).toEqual([
    'a balance adjusted by one operator was not counted',
  ]);
});

it('reports what voided rounds would have paid, when their seeds are available', async () => {
  const { state } = await loadState(pool, playerDecider, playerStream(player));
  const rounds = 6;
  let paid = 0n;
  const steps: Step[] = [];
  for (let n = 0; n < rounds; n++) {
    paid += draw(state, (state.seeds?.nonce ?? 0) + n).payoutMinor;
    steps.push(begun(), counted(), voided());
  }
  const sum = { count: rounds, returnedMinor: STAKE * BigInt(rounds) };
  const { faults, voids } = await audited(steps, true);
  expect(faults).toEqual([]);
  expect(voids).toEqual(new Map([[ann, { ...sum, wouldHavePaidMinor: paid, awaitingReveal: 0 }]]));
  const secret = await audited(steps);
  expect(secret.voids).toEqual(
    new Map([[ann, { ...sum, wouldHavePaidMinor: 0n, awaitingReveal: rounds }]]),
  );
});

it('finds a voided round with other ticks than its seed gives', async () => {
  const { faults } = await audited([begun(1), counted(), voided()], true);
  expect(faults).toEqual([expect.stringMatching(/lasts \d+ ticks; its seed gives \d+$/)]);
});
