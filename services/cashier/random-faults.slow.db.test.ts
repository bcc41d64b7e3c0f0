import { randomUUID } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHolds } from '@reelbook/payments/holds';
import {
  approve,
  deny,
  markExpired,
  type PaymentReview,
} from '@reelbook/payments/operator-actions';
import { readLag } from '@reelbook/projections/lag';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import { readOpenWithdrawals } from '@reelbook/projections/withdrawals/queue';
import { LAG } from '@reelbook/simulator/stages/lag';
import {
  BSM,
  OPERATORS,
  type PayingSite,
  startPayingSite,
} from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { seedsOf } from '@reelbook/testing/seeds';
import { WAIT } from '@reelbook/testing/wait';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CrashPoint } from './context.ts';
import type { RunningCashier } from './start.ts';

/**
 * Random sequences of players, operators, crashes and chain faults on one site. A crashing cashier stops at a crash point
 * and keeps its lease until it expires, which has the same effect on others as a kill -9 (`faults.db.test.ts`). After each
 * sequence the sum of every player's wallet, ledger balance and fees is unchanged.
 */
const RUNS = 3;
const STEPS_MAX = 24;
const TEST_TIMEOUT_MS = 600_000;
const FUNDED = 5_000n * BSM;
const LEASE_MS = 400 + LAG.cashierMs;
/** While settling: blocks pass fast, so that attempts expire. */
const BLOCKS_AT_ONCE = 30;
const LATE_BLOCKS_MAX = 170;

const POINTS: readonly CrashPoint[] = [
  ...(['movement-found', 'movement-added', 'movement-appended', 'before-observation'] as const),
  ...(['before-approval', 'approved', 'signed-not-recorded', 'signed-recorded', 'sent'] as const),
  ...(['seen-final', 'final-recorded', 'seen-failed', 'seen-expired', 'expiry-recorded'] as const),
];
const METHODS = [
  'sendTransaction',
  'getSignatureStatuses',
  'getSignaturesForAddress',
  'getTransaction',
  'getLatestBlockhash',
  'getMultipleAccounts',
  'getBlockHeight',
  'getEpochInfo',
  'isBlockhashValid',
  'getFirstAvailableBlock',
];

type Operator = 'anna' | 'bert';

type Step =
  | { readonly do: 'deposit' | 'withdraw'; readonly who: number; readonly bsm: number }
  | { readonly do: 'approve' | 'deny' | 'markExpired'; readonly operator: Operator }
  | { readonly do: 'die'; readonly point: CrashPoint }
  | { readonly do: 'drop'; readonly times: number }
  | { readonly do: 'late' | 'pass' | 'lag'; readonly blocks: number }
  | { readonly do: 'hangUp' | 'fail'; readonly method: string; readonly times: number }
  | { readonly do: 'fork' | 'expire' | 'round' };

const times = fc.integer({ min: 1, max: 4 });
const method = fc.constantFrom(...METHODS);
const who = fc.integer({ min: 0, max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deposit' as const),
      who,
      bsm: fc.integer({ min: 1, max: 2_000 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('withdraw' as const),
      who,
      bsm: fc.integer({ min: 1, max: 1_500 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'approve' as const,
        'approve' as const,
        'deny' as const,
        'markExpired' as const,
      ),
      operator: fc.constantFrom<Operator>('anna', 'bert'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('die' as const), point: fc.constantFrom(...POINTS) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), times }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('late' as const),
      blocks: fc.integer({ min: 1, max: LATE_BLOCKS_MAX }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('pass' as const, 'lag' as const),
      blocks: fc.integer({ min: 1, max: 160 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('hangUp' as const, 'fail' as const),
      method,
      times,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('fork' as const, 'expire' as const, 'round' as const),
    }),
  },
);

let bank: PayingSite;
let review: PaymentReview;
beforeAll(async () => {
  bank = await startPayingSite();
  review = { pool: bank.site.pool, executor: startExecutor({ pool: bank.site.pool }) };
  const first = await bank.startCashier();
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  await first.close();
});
afterAll(async () => {
  await review.executor.close();
  await bank.close();
});

/** Two cashiers, one of them active; a crashed one is replaced. */
function startCashiers() {
  let armed: CrashPoint | null = null;
  const dead = new AbortController();
  const alive: RunningCashier[] = [];
  const at = (point: CrashPoint) => {
    if (point !== armed) return;
    armed = null;
    void add();
    // It blocks here; at the end of the test an error releases it.
    return new Promise<void>((_, reject) => {
      dead.signal.addEventListener('abort', () => reject(new Error('killed')));
    });
  };
  const add = async () => void alive.push(await bank.startCashier({ leaseMs: LEASE_MS, at }));
  return {
    start: () => Promise.all([add(), add()]),
    arm(point: CrashPoint | null) {
      armed = point;
    },
    async close() {
      armed = null;
      dead.abort();
      for (const cashier of alive) await cashier.close();
    },
  };
}

const open = async () => {
  const { pool } = bank.site;
  const queue = await readOpenWithdrawals(pool, { limit: 100 });
  const found = await Promise.all(queue.map((one) => readWithdrawal(pool, one.withdrawal)));
  return found.filter((one) => one !== null);
};
const act = (operator: Operator) => ({
  by: OPERATORS[operator],
  reason: 'looked at',
  key: randomUUID(),
  correlation: 'test',
});

async function take(
  one: Step,
  o: {
    readonly players: readonly TestPlayer[];
    readonly sent: string[];
    arm(point: CrashPoint): void;
  },
): Promise<void> {
  const { local } = bank.chain;
  switch (one.do) {
    case 'deposit': {
      const from = o.players[one.who]?.wallet;
      // The wallet has too little, or a node does not respond: nothing was sent, or the result is unknown.
      const hash =
        from && (await bank.chain.deposit(from, BigInt(one.bsm) * BSM).catch(() => null));
      if (hash) o.sent.push(hash);
      return;
    }
    case 'withdraw': {
      const player = o.players[one.who];
      const body = { amount: one.bsm, to_address: player?.wallet.address };
      await player?.call('/transaction/withdraw', { body });
      return;
    }
    case 'approve':
    case 'deny': {
      const [oldest] = (await open()).filter(({ status }) => status === 'requested');
      const decide = one.do === 'approve' ? approve : deny;
      if (oldest) await decide(review, oldest.withdrawal, act(one.operator));
      return;
    }
    case 'markExpired': {
      // True or not, at any height.
      const [oldest] = (await open()).filter(({ status }) => status === 'signed');
      const word = { ...act(one.operator), blockHeight: Number.MAX_SAFE_INTEGER };
      if (oldest) await markExpired(review, oldest.withdrawal, word);
      return;
    }
    case 'die':
      return o.arm(one.point);
    case 'drop':
      return local.faults.dropSends(one.times);
    case 'late':
      return local.faults.landLate(one.blocks, 1);
    case 'pass':
      return local.advance(one.blocks);
    case 'lag':
      return local.faults.lag(one.blocks, 'first');
    case 'hangUp':
    case 'fail':
      return local.faults[one.do](one.method, one.times);
    case 'expire':
      return local.faults.expireBlockhashes();
    case 'fork': {
      const signed = (await open()).map(({ signature }) => signature);
      for (const hash of [...o.sent, ...signed]) {
        try {
          if (hash) local.faults.lose(hash);
        } catch {
          // Finalized or never landed: it cannot be dropped.
        }
      }
      return;
    }
    case 'round':
      await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS));
  }
}

/** Settles all work: operators decide, the chain has no faults, blocks pass. */
async function settle(): Promise<void> {
  const { local } = bank.chain;
  local.faults.clear();
  // Delayed transactions land now or never.
  local.advance(LATE_BLOCKS_MAX + 1);
  await vi.waitFor(async () => {
    local.advance(BLOCKS_AT_ONCE);
    const { pool } = bank.site;
    // The read model must include the last request before an empty list counts.
    const lag = (await readLag(pool)).find(({ name }) => name === 'withdrawals');
    const waiting = await open();
    const ids = waiting.map(({ withdrawal }) => withdrawal);
    const holds = await readHolds(pool, ids);
    for (const { withdrawal, status } of waiting) {
      if (holds.get(withdrawal)?.code === 'not-taken') await deny(review, withdrawal, act('anna'));
      else if (status === 'requested') {
        for (const operator of ['anna', 'bert'] as const)
          await approve(review, withdrawal, act(operator));
      }
    }
    expect(waiting.map(({ status }) => status)).toEqual([]);
    expect(lag?.behindPositions).toBe(0);
  }, WAIT);
}

/** Wallet, ledger balance and fees. */
async function ownsMinor({ wallet }: TestPlayer): Promise<bigint> {
  const { rows } = await bank.site.pool.query<{ fees: string; token: string }>(
    `select (select coalesce(sum(fee), 0)::text from projections.withdrawals_v1
        where wallet = $1 and status = 'finalized') as fees,
      (select state::json->>'tokenMinor' from streams where key = stream_key('player-' || $1)) as token`,
    [wallet.address],
  );
  const [row] = rows;
  const onChain = await bank.chain.chain.walletBalance(wallet.address);
  return (onChain ?? 0n) + BigInt(row?.token ?? 0) + BigInt(row?.fees ?? 0);
}

test.each(seedsOf('services/cashier/random-faults.slow.db.test.ts'))(
  'seed %i: no payment or credit is repeated or lost',
  async (seed) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: STEPS_MAX }), async (steps) => {
        const players = [await bank.player(FUNDED), await bank.player(FUNDED)];
        const sent: string[] = [];
        const cashiers = startCashiers();
        await cashiers.start();
        try {
          for (const player of players) await bank.deposit(player, 2_000n * BSM);
          for (const one of steps) await take(one, { players, sent, arm: cashiers.arm });
          cashiers.arm(null);
          await settle();
          await bank.until(async () => {
            const owned = await Promise.all(players.map(ownsMinor));
            expect(owned).toEqual(players.map(() => FUNDED));
          });
          await bank.expectIntact();
        } finally {
          bank.chain.local.faults.clear();
          await cashiers.close();
        }
      }),
      { seed, numRuns: RUNS, verbose: 1, endOnFailure: true },
    );
  },
  TEST_TIMEOUT_MS,
);
