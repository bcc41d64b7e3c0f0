import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@reelbook/testing/random';
import { pick } from '@reelbook/testing/random';
import type { TestWallet } from '@reelbook/testing/wallets';
import { insist } from './api.ts';
import type { Player } from './player.ts';

/** A point. */
const AMOUNT = { asset: 'points', minor: '100' } as const;
const ADJUST_EVERY_MS = 2_000;

/** An operator at the console who gives players points, and asks again by key until it is acknowledged. @returns the faults. */
export async function adjustBalances(o: {
  readonly console: string;
  readonly operator: TestWallet;
  /** They have entered. */
  readonly players: readonly Player[];
  readonly random: Random;
  readonly stop: AbortSignal;
  readonly giveUp: AbortSignal;
}): Promise<readonly string[]> {
  const { operator, random } = o;
  const faults: string[] = [];
  const journal = { faults, unserved: { busy: 0, silent: 0 } };
  const persistent = { origins: [o.console], random, journal, giveUp: o.giveUp };
  try {
    // Each message works once, so each try signs another one.
    const signIn = () => ({ body: operator.signIn(Date.now()) });
    const entered = await insist<{ token: string }>(persistent, '/admin/auth/sign-in', signIn);
    if (entered.status !== 200) throw new Error(`sign-in: ${entered.status} ${entered.message}`);
    const { token } = entered.data;
    for (let number = 1; !o.stop.aborted; number++) {
      const { journal: own } = pick(random, o.players);
      const reason = `adjustment ${number}`;
      const body = { amount: AMOUNT, reason };
      const begunMs = performance.now();
      own.adjustments.push(reason);
      const { status, message, data } = await insist<{ proposal: number | null }>(
        persistent,
        `/admin/players/${own.wallet}/adjustments`,
        () => ({ token, body, key: reason.replace(' ', '-') }),
      );
      if (status === 200 && data.proposal === null) {
        const made = { version: { reason }, points: null, tokens: null };
        own.history.push({ writes: true, begunMs, endedMs: performance.now(), ...made });
      } else faults.push(`${reason}: ${status} ${message}`);
      await sleep(ADJUST_EVERY_MS);
    }
  } catch (error) {
    if (!o.giveUp.aborted) faults.push(`the operator: ${error}`);
  }
  return faults;
}
