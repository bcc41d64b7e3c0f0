import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { nextNotice } from '@reelbook/ledger/player/notices';
import { balancesOf, type PlayerState } from '@reelbook/ledger/player/state';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { type FakeClock, openFakeClock } from '@reelbook/testing/fake-clock';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

const [ANN, BOB] = [createWallet(1).address, createWallet(2).address];
const [ann, bob] = [`operator:${ANN}`, `operator:${BOB}`];
const reason = 'as agreed';

let database: TestDatabase;
let clock: FakeClock;
let pool: pg.Pool;
let player: string;
beforeAll(async () => {
  database = await createDatabase();
  clock = await openFakeClock(database);
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  player = await players.register();
  await executor.close();
  for (const operator of [ANN, BOB]) {
    await addOperator(pool, operator, 'operator');
    await signInOperator(pool, operator);
  }
});
afterAll(() => database.drop());

type Made = (state: PlayerState) => readonly LedgerEvent[];
/** The audit's findings about operators in a ledger with these commands added. */
const faultsOf = (...forged: readonly ('a minute' | readonly [string, string, Made])[]) =>
  tamperWith(
    database.pool('owner'),
    async () => {
      for (const one of forged) {
        if (one === 'a minute') await clock.forward(61_000);
        else await forge(pool, one[0], one[2] as never, one[1]);
      }
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.filter(({ check }) => check === 'operators').map((one) => one.message);
    },
  );

/** For nothing, so that no balance matters. */
const requested = (to: string) => (state: PlayerState) =>
  [
    {
      type: 'WithdrawalRequested',
      data: {
        withdrawal: `${state.publicId}-w1`,
        to,
        amountMinor: 0n,
        feeMinor: 0n,
        netMinor: 0n,
        feeRate: { numerator: 0, denominator: 1 },
        after: balancesOf(state),
        notice: nextNotice(state),
      },
    },
  ] as const;
const approved =
  (by: string, approvals: number) =>
  (state: PlayerState): readonly LedgerEvent[] => {
    const data = { withdrawal: `${state.publicId}-w1`, by, reason, approvals, needed: 2 };
    const notice = approvals === 2 ? { notice: nextNotice(state) } : {};
    return [{ type: 'WithdrawalApproved', data: { ...data, ...notice } }];
  };
const denied =
  (by: string) =>
  (state: PlayerState): readonly LedgerEvent[] => [
    { type: 'WithdrawalDenied', data: { withdrawal: `${state.publicId}-w1`, by, reason } },
  ];

it.each([
  ['WithdrawalApproved', approved(ann, 1)],
  ['WithdrawalDenied', denied(ann)],
] as const)(
  'finds %s by the operator whose wallet another player is paid to',
  async (type, make) => {
    const stream = playerStream(player);
    const faults = (to: string) =>
      faultsOf([stream, `player:${player}`, requested(to)], [stream, ann, make]);
    expect(await faults(ANN)).toEqual([`${type} by ${ann} on the operator's own wallet`]);
    expect(await faults(BOB)).toEqual([]);
  },
);

const revoked: Made = () => [
  {
    type: 'OperatorRevoked',
    data: { operator: ANN, roleBefore: 'operator', roleAfter: null, reason },
  },
];
it.each([
  ['WithdrawalApproved', [requested('E'.repeat(43)), approved(ann, 1), approved(bob, 2)]],
] as const)(
  'finds %s that counts an operator whose role was revoked before',
  async (type, made) => {
    const stream = playerStream(player);
    const [requested, first, second] = made;
    const before = [
      [stream, `player:${player}`, requested],
      [stream, ann, first],
    ] as const;
    const shell = 'system:operator-command';
    const lost = [OPERATORS_STREAM, shell, revoked] as const;
    const fault = `${type} counts ${ann}, whose role was revoked`;
    const later = [stream, bob, second] as const;
    expect(await faultsOf(...before, later, lost)).toEqual([]);
    // An act in flight when the role was revoked may arrive.
    expect(await faultsOf(...before, lost, later)).toEqual([]);
    expect(await faultsOf(...before, lost, 'a minute', later)).toEqual([fault]);
  },
);
