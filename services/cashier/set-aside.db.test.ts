/** Many transactions that no node can give: none stops or delays good deposits, and none is lost. */
import { readMovement } from '@reelbook/payments/movements';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import type { Chain } from '@reelbook/solana/rpc';
import { type RpcProxy, startRpcProxy } from '@reelbook/testing/rpc-proxy';
import bs58 from 'bs58';
import { afterEach, beforeEach, expect, test } from 'vitest';

let bank: PayingSite;
const proxies: RpcProxy[] = [];
beforeEach(async () => {
  bank = await startPayingSite();
});
afterEach(async () => {
  await bank.close();
  for (const proxy of proxies.splice(0)) proxy.close();
});

const TOO_NEW = {
  error: {
    code: -32015,
    message: 'Transaction version (2) is not supported by the requesting client.',
  },
};

/** Two nodes of two providers; neither can give the transactions that are unreadable. */
async function nodes(isUnreadable: (signature: string) => boolean): Promise<Chain> {
  const [one, two] = await Promise.all(
    [1, 2].map(() =>
      startRpcProxy(bank.chain.local.url, ({ method, params }, honest) =>
        method === 'getTransaction' && isUnreadable(String(params[0])) ? TOO_NEW : honest,
      ),
    ),
  );
  if (!one || !two) throw new Error('there are two');
  proxies.push(one, two);
  return bank.chain.open([one.url, two.url.replace('127.0.0.1', 'localhost')]);
}

const credited = (player: TestPlayer, minor: bigint) =>
  bank.until(async () => expect(await bank.balanceMinor(player)).toBe(minor));

const UNREADABLE = 40;

test('unreadable transactions delay no deposit that can be read', async () => {
  const readable = new Set<string>();
  const chain = await nodes((signature) => !readable.has(signature));
  const ann = await bank.player(9n * BSM);
  const { tokenAccount } = await bank.chain.chain.terms();
  for (let n = 1; n <= UNREADABLE; n++) await bank.chain.local.airdrop(tokenAccount, BigInt(n));
  readable.add(await bank.chain.deposit(ann.wallet, 5n * BSM));
  bank.chain.finalize();
  let lookedUpBefore: number | null = null;
  const count = async (where: string) => {
    const text = `select count(*)::int as count from treasury_movements where ${where}`;
    return (await bank.site.pool.query<{ count: number }>(text)).rows[0]?.count ?? 0;
  };
  await bank.startCashier({
    chain,
    async at(point) {
      if (point === 'movement-appended') lookedUpBefore ??= await count('reason is not null');
    },
  });
  await credited(ann, 5n * BSM);
  await bank.until(async () => expect(lookedUpBefore).toBe(0));
  await bank.until(async () =>
    expect(await count("kind = 'unread' and reason = 'unreadable'")).toBe(UNREADABLE),
  );
});

test('an unreadable deposit beyond those that are set aside is alerted and found again', async () => {
  const unknown = new Set<string>();
  const chain = await nodes((signature) => unknown.has(signature));
  const cashier = await bank.startCashier({ chain });
  const [ann, bert] = [await bank.player(9n * BSM), await bank.player(9n * BSM)];
  const { tokenAccount } = await bank.chain.chain.terms();
  // As many as are kept: transactions of an attacker that stay unreadable.
  const spam = Array.from({ length: 1_000 }, (_, n) => {
    const bytes = Buffer.alloc(64, 8);
    bytes.writeUInt32BE(n);
    return bs58.encode(bytes);
  });
  await bank.site.pool.query(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, recorded, attempts)
      select $1, unnest($2::text[]), 1, 0, 'unread', false, 1`,
    [tokenAccount, spam],
  );
  const late = await bank.chain.deposit(ann.wallet, 4n * BSM);
  unknown.add(late);
  bank.chain.finalize();
  await bank.deposit(bert, 5n * BSM);
  await credited(bert, 5n * BSM);
  expect(await readMovement(bank.site.pool, late)).toBeNull();
  await bank.until(async () => expect(cashier.mismatch()).toContain('more than'));
  expect(await bank.balanceMinor(ann)).toBe(0n);
  unknown.clear();
  await credited(ann, 4n * BSM);
});
