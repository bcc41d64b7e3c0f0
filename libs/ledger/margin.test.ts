import { paymentBytes, TEST_TOKEN } from '@reelbook/testing/payment-bytes';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultConfig } from './config/config.ts';
import type { AnyEvent } from './events.ts';
import { marginDeltaMinor } from './invariants.ts';
import type { PlayerCommand } from './player/commands.ts';
import { playerDecider } from './player/decide.ts';
import { CASHIER } from './player/payment-events.ts';
import type { PlayerState } from './player/state.ts';
import { withdrawalsOf } from './player/withdrawal-state.ts';
import { isRejection } from './rejections.ts';
import { type TreasuryCommand, treasuryDecider } from './treasury/decide.ts';

/**
 * A chain and a ledger in parallel. The ledger records events of the chain later, in any order; at any time the margin may
 * not exceed the true cover: the treasury's balance less everything that is owed.
 */
const WALLET = 'X'.repeat(43);
const BSM = 1_000_000_000n;
const OPENING_MINOR = 1_000n * BSM;
const terms = { ...defaultConfig.withdraw, automaticMaxTokenMinor: 10n ** 18n };

const STEPS = [
  'land',
  'stray',
  'credit',
  'see',
  'toHouse',
  'toPlayer',
  'observe',
  'exchange',
  'back',
  'request',
  'approve',
  'deny',
  'sign',
  'landPayment',
  'finalize',
  'fail',
  'topUp',
] as const;
type Step = (typeof STEPS)[number];

class World {
  player: PlayerState = {
    ...playerDecider.initial,
    wallet: WALLET,
    publicId: 'p1',
    pointsMinor: 100_000_000n,
  };
  treasury = treasuryDecider.initial;
  marginMinor = 0n;
  /** The chain. */
  held = OPENING_MINOR;
  flow = 0n;
  readonly arrived: bigint[] = [];
  readonly strays: bigint[] = [];
  readonly unmatched: bigint[] = [];
  readonly theirs: bigint[] = [];
  landed: string | null = null;
  landedMinor = 0n;

  command(command: PlayerCommand, mustCover = false): boolean {
    const decided = playerDecider.decide(this.player, command);
    if (isRejection(decided)) return false;
    const delta = marginDeltaMinor(decided, WALLET);
    if (mustCover && delta < 0n && this.marginMinor + delta < 0n) return false;
    this.player = decided.reduce(playerDecider.evolve, this.player);
    this.marginMinor += delta;
    return true;
  }

  treasure(command: TreasuryCommand): void {
    const decided = treasuryDecider.decide(this.treasury, command);
    if (isRejection(decided)) throw new Error(decided.rejected);
    this.treasury = decided.reduce(treasuryDecider.evolve, this.treasury);
    this.marginMinor += marginDeltaMinor(decided as readonly AnyEvent[], 'treasury');
  }

  /** What is owed: to the player, held with its fee and not sent yet, arrived and not credited, and unmatched. */
  trueCoverMinor(): bigint {
    const sum = (list: readonly bigint[]) => list.reduce((a, b) => a + b, 0n);
    const open = withdrawalsOf(this.player).open;
    const heldMinor = sum(open.map(({ netMinor, feeMinor }) => netMinor + feeMinor));
    const waiting = [this.arrived, this.strays, this.unmatched, this.theirs].map(sum);
    // A landed payment has left and is still held; its fee is earned only when the ledger records the end.
    const owed = this.player.tokenMinor + heldMinor - this.landedMinor + sum(waiting);
    return this.held - owed;
  }
}

const unmatched = { signature: 's', tokenAccount: 't', slot: 1, sender: null, reason: 'no owner' };
const resolution = {
  signature: 's',
  tokenAccount: 't',
  by: 'system:cashier',
  reason: 'known',
  singleOperatorMaxTokenMinor: 10n ** 18n,
};

function take(world: World, step: Step, amountMinor: bigint): void {
  const [open] = withdrawalsOf(world.player).open;
  const withdrawal = open?.withdrawal ?? '';
  const signature = open?.live?.signature ?? '';
  switch (step) {
    case 'land':
    case 'stray':
      world.held += amountMinor;
      world.flow += amountMinor;
      (step === 'land' ? world.arrived : world.strays).push(amountMinor);
      return;
    case 'credit': {
      const from = world.theirs.length > 0 ? ('unmatched' as const) : ('chain' as const);
      const minor = (from === 'chain' ? world.arrived : world.theirs).shift();
      if (minor === undefined) return;
      const deposit = {
        signature: 's',
        tokenAccount: 't',
        slot: 1,
        amountMinor: minor,
        from,
        nowMs: 1,
      };
      if (!world.command({ type: 'CreditDeposit', ...deposit })) throw new Error('credit refused');
      return;
    }
    case 'see': {
      const minor = world.strays.shift();
      if (minor === undefined) return;
      world.treasure({ type: 'SeeUnmatchedDeposit', ...unmatched, amountMinor: minor });
      world.unmatched.push(minor);
      return;
    }
    case 'toHouse':
    case 'toPlayer': {
      const minor = world.unmatched.shift();
      if (minor === undefined) return;
      const to = step === 'toHouse' ? 'house' : `player:${WALLET}`;
      const resolved = { ...resolution, amountMinor: minor, to, operators: {} };
      world.treasure({ type: 'ResolveUnmatchedDeposit', ...resolved });
      if (step === 'toPlayer') world.theirs.push(minor);
      return;
    }
    case 'observe':
      world.treasure({
        type: 'ObserveTreasury',
        source: 'test',
        tokenMinor: world.held,
        netDepositsMinor: world.flow,
      });
      return;
    case 'exchange':
    case 'back': {
      const there = step === 'exchange';
      world.command(
        {
          type: 'Exchange',
          fromAsset: there ? 'points' : 'token',
          toAsset: there ? 'token' : 'points',
          amountMinor: there ? amountMinor / 100_000n : amountMinor,
          terms: defaultConfig.exchange,
        },
        true,
      );
      return;
    }
    case 'request':
      world.command({
        type: 'RequestWithdrawal',
        amountMinor,
        to: WALLET,
        address: 'wallet',
        makesAccount: false,
        terms,
      });
      return;
    case 'approve':
      world.command({
        type: 'ApproveWithdrawal',
        withdrawal,
        by: CASHIER,
        reason: 'ok',
        terms,
        operators: {},
      });
      return;
    case 'deny':
      world.command({ type: 'DenyWithdrawal', withdrawal, by: 'operator:a', reason: 'no' });
      return;
    case 'sign': {
      const attempt = (open?.attempts ?? 0) + 1;
      if (!open) return;
      const token = TEST_TOKEN;
      const signed = { ...paymentBytes({ ...open, attempt }), lastValidBlockHeight: 1, slot: 1 };
      world.command({ type: 'SignWithdrawal', withdrawal, attempt, ...signed, terms, token });
      return;
    }
    case 'landPayment':
      // Only within the treasury's balance, as on the chain; and each signature lands once.
      if (!open?.live || world.landed || world.held < open.netMinor) return;
      world.landed = signature;
      world.landedMinor = open.netMinor;
      world.held -= open.netMinor;
      world.flow -= open.netMinor;
      return;
    case 'finalize':
      if (!world.landed) return;
      world.command({ type: 'FinalizeWithdrawal', withdrawal, signature, slot: 1 });
      world.landed = null;
      world.landedMinor = 0n;
      return;
    case 'fail': {
      const over = { outcome: 'failed' as const, evidence: 'it failed', blockHeight: 2 };
      if (world.landed) return;
      world.command({ type: 'FailWithdrawalAttempt', withdrawal, signature, ...over });
      return;
    }
    case 'topUp':
      // The house deposits its own token, as an unmatched deposit that is resolved to the house.
      world.held += amountMinor;
      world.flow += amountMinor;
      world.strays.push(amountMinor);
      return;
  }
}

it('the margin is never more than the true cover, and equal to it when everything is recorded', () => {
  const step = fc.record({
    step: fc.constantFrom(...STEPS),
    amountMinor: fc.bigInt({ min: 2n, max: 2_000n * BSM }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const world = new World();
      take(world, 'observe', 0n);
      expect(world.marginMinor).toBe(OPENING_MINOR);
      for (const { step: name, amountMinor } of steps) {
        take(world, name, amountMinor);
        expect(world.marginMinor).toBe(world.trueCoverMinor());
        expect(world.marginMinor).toBeGreaterThanOrEqual(0n);
      }
    }),
    { numRuns: 500 },
  );
});

it('a transfer by the house out of the treasury lowers the cover when it is observed', () => {
  const world = new World();
  take(world, 'observe', 0n);
  world.held -= 400n * BSM; // no deposit, no withdrawal: none of it passes through
  take(world, 'observe', 0n);
  expect(world.marginMinor).toBe(600n * BSM);
});

it('a fee is cover when the withdrawal is final and not before: a release would return it', () => {
  const world = new World();
  take(world, 'observe', 0n);
  take(world, 'land', 100n * BSM);
  take(world, 'credit', 0n);
  const margins = [world.marginMinor];
  for (const step of ['request', 'approve', 'sign', 'landPayment', 'finalize'] as const) {
    take(world, step, 100n * BSM);
    margins.push(world.marginMinor);
  }
  expect(margins.map((minor) => minor / BSM)).toEqual([1000n, 1000n, 1000n, 1000n, 1000n, 1005n]);
});
