/** Money over the chain while the site loses parts: each call is repeated until it is acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Balances } from '@reelbook/contract/common';
import type { WithdrawResult } from '@reelbook/contract/player/wallet';
import { toMinor } from '@reelbook/ledger/money';
import type { TestChain } from '@reelbook/testing/chain';
import type { Call } from './api.ts';
import type { Player } from './player.ts';

/** In BSM. */
const BROUGHT = 50;
const BSM = 10n ** 9n;
const LOOK_EVERY_MS = 250;
/** A machine may be lost, and a provider, between a deposit and its credit. */
const CREDITED_MAX_MS = 240_000;

/** What a wallet had at first, and what it must have on the chain in the end, in minor units of token. */
export interface Trip {
  readonly player: Player;
  readonly expectedMinor: bigint;
}

async function must<Data>(player: Player, path: string, call: Call = {}): Promise<Data> {
  const { status, data, message } = await player.insist<Data>(path, call);
  if (status !== 200) throw new Error(`${path}: ${status} ${message}`);
  return data;
}

async function until<Data>(player: Player, path: string, is: (data: Data) => boolean) {
  const deadline = performance.now() + CREDITED_MAX_MS;
  for (;;) {
    const { status, data } = await player.insist<Data>(path);
    if (status === 200 && is(data)) return;
    if (performance.now() > deadline)
      throw new Error(`${path}: not in time: ${JSON.stringify(data)}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Logs in and deposits. Resolves when it is credited. */
async function bring(player: Player, chain: TestChain): Promise<void> {
  const amountMinor = BigInt(BROUGHT) * BSM;
  await player.enter();
  await chain.fund(amountMinor, player.wallet);
  const tx_hash = await chain.deposit(player.wallet, amountMinor);
  await must(player, '/transaction/deposit', { body: { amount: BROUGHT, tx_hash } });
  await until<Balances>(player, '/user/balance', (now) => now.token_balance === BROUGHT);
}

/** Gives a player points to play with. */
export async function buyPoints(player: Player, chain: TestChain): Promise<void> {
  await bring(player, chain);
  const body = { from_type: 'token', to_type: 'points', amount: BROUGHT };
  await must(player, '/transaction/exchange', { body, key: 'points' });
}

/** A deposit, and its withdrawal to the same wallet, one player after the other until `stop` aborts. */
export async function takeTrips(o: {
  readonly chain: TestChain;
  readonly stop: AbortSignal;
  readonly faults: string[];
  newPlayer(): Player;
}): Promise<readonly Trip[]> {
  const trips: Trip[] = [];
  while (!o.stop.aborted) {
    const player = o.newPlayer();
    try {
      await bring(player, o.chain);
      const body = { amount: BROUGHT, to_address: player.wallet.address };
      const { withdrawal_id: id, net_amount: net } = await must<WithdrawResult>(
        player,
        '/transaction/withdraw',
        { body, key: 'withdraw' },
      );
      const path = `/user/payments/${id}`;
      await until<{ status: string }>(player, path, ({ status }) => status === 'completed');
      trips.push({ player, expectedMinor: toMinor('token', net) ?? 0n });
    } catch (error) {
      o.faults.push(`${player.wallet.address}: ${String(error)}`);
    }
    o.faults.push(...player.journal.faults);
  }
  return trips;
}

/** Each payment is on the chain once. @returns the faults. */
export async function examineTrips(
  { chain }: TestChain,
  trips: readonly Trip[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { player, expectedMinor } of trips) {
    const { address } = player.wallet;
    const minor = await chain.walletBalance(address);
    if (minor !== expectedMinor) faults.push(`${address} has ${minor}, not ${expectedMinor}`);
  }
  return faults;
}
