import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startExecutor } from '@reelbook/event-store/execute';
import { games } from '@reelbook/games/rules';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { createDatabase } from '@reelbook/testing/database';
import { createWallet } from '@reelbook/testing/wallets';
import { Connection, PublicKey } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CHAIN_BATCH_MAX } from './chain.ts';
import { seedConfig } from './config.ts';
import type { GatewayChain } from './context.ts';
import { CHAIN_CALLS_PER_ADDRESS } from './limits.ts';
import { pinToken } from './pin-token.ts';

const BSM = 10n ** 9n;
const FAUCET = '/faucet';
const BALANCE = '/user/wallet-balance';

let chain: TestChain;
const opened: TestSite[] = [];
beforeEach(async () => {
  chain = await startTestChain();
});
afterEach(async () => {
  for (const site of opened.splice(0)) await site.close();
  await chain.close();
});

const gift = { amount: 1, sol: 1, tx_hash: 'x', next_at: 'then' };
const local = (): GatewayChain => ({
  chain: chain.chain,
  network: 'local',
  publicRpcUrl: null,
  local: {
    rpcUrl: chain.local.url,
    faucet: async (wallet) => ({ wallet_address: wallet, ...gift }),
  },
});
const outside = (): GatewayChain => ({
  chain: chain.chain,
  network: 'devnet',
  publicRpcUrl: 'https://rpc.test/v1',
  local: null,
});
async function open(options: Parameters<typeof startSite>[0]): Promise<TestSite> {
  const site = await startSite(options);
  opened.push(site);
  return site;
}
type Balance = { balance: number; stale: boolean; as_of: string | null };

describe('on the local chain', () => {
  test('the configuration contains the token, the treasury and the RPC path', async () => {
    const site = await open({ chain: local() });
    const of = async (name: string) => (await site.call(`/config/${name}`)).data;
    const contract = chain.token.mint.address;
    expect(await of('token')).toEqual({ token_decimals: 9, token_contract: contract });
    expect(await of('token-contract')).toEqual({ token_contract: contract });
    expect(await of('project-wallet')).toEqual({ project_wallet: chain.treasury.address });
    expect(await of('system')).toMatchObject({ network: 'local', rpc_url: '/chain', faucet: true });
  });

  test('browsers reach the chain through the site with the RPC library', async () => {
    const site = await open({ chain: local() });
    const connection = new Connection(`${site.url}/chain`, 'confirmed');
    const { address } = chain.token.mint;
    const mint = await connection.getAccountInfo(new PublicKey(address));
    expect(mint?.data).toHaveLength(82);
    const answers = await fetch(`${site.url}/chain`, { method: 'GET' });
    expect(answers.status).toBe(404);
  });

  test('the chain path forwards only the methods of the pages, in small batches that count', async () => {
    const site = await open({ chain: local() });
    const post = async (body: unknown) => {
      const response = await fetch(`${site.url}/chain`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    const rpc = (method: string, id = 1, params: unknown[] = []) => {
      return { jsonrpc: '2.0', id, method, params };
    };
    const batch = (calls: number, method = 'getEpochInfo') =>
      Array.from({ length: calls }, (_, n) => rpc(method, n));
    // All calls belong to one window of a minute, however long they take.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => void vi.restoreAllMocks());
    for (const method of ['getProgramAccounts', 'getSignaturesForAddress', 'requestAirdrop', '']) {
      const refused = { jsonrpc: '2.0', id: 7, error: { code: -32601 } };
      expect((await post(rpc(method, 7))).body).toMatchObject(refused);
      const mixed = [rpc('getEpochInfo'), rpc(method)];
      expect((await post(mixed)).body).toMatchObject({ id: null, error: { code: -32601 } });
    }
    for (const wrong of [[], [1], [null], 'text', batch(CHAIN_BATCH_MAX + 1)]) {
      expect((await post(wrong)).body).toHaveProperty('error.message', expect.any(String));
    }
    expect((await post(batch(CHAIN_BATCH_MAX))).body).toHaveLength(CHAIN_BATCH_MAX);
    const sends = CHAIN_CALLS_PER_ADDRESS / (CHAIN_BATCH_MAX * 10);
    const statuses = [];
    for (let n = 0; n < sends; n++) {
      statuses.push((await post(batch(CHAIN_BATCH_MAX, 'sendTransaction'))).status);
    }
    expect(statuses).toEqual([...Array(sends - 1).fill(200), 429]);
    const limited = await post(rpc('getEpochInfo'));
    expect(limited.body).toMatchObject({ id: 1, error: { code: -32005 } });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('the faucet sends to a player, and returns the time until the next call', async () => {
    const busy = local();
    const site = await open({ chain: busy });
    const player = await site.login();
    expect((await site.call(FAUCET, { method: 'POST' })).status).toBe(401);
    const given = await player.call<{ wallet_address: string }>(FAUCET, { method: 'POST' });
    expect(given).toMatchObject({ status: 200, data: { wallet_address: player.wallet.address } });
    if (busy.local) Object.assign(busy.local, { faucet: async () => ({ waitS: 9, minutes: 10 }) });
    // Not with the helper, which waits and retries.
    const refused = await fetch(`${site.url}/api/v1${FAUCET}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${player.token}` },
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '9']);
    expect(await refused.json()).toMatchObject({
      message: 'the faucet can be used once every 10 minutes; try again later',
      data: { error: 'faucet-used' },
    });
  });
});

describe('the balance of a wallet', () => {
  test("is read from the chain, by default of the player's wallet; 0 without a token account", async () => {
    const site = await open({ chain: local() });
    const player = await site.login();
    const read = async (query = '') => (await player.call<Balance>(`${BALANCE}${query}`)).data;
    // Stale while the chain takes longer than a call waits for it.
    await expect.poll(read).toMatchObject({ balance: 0, stale: false });
    const other = await chain.fund(12_345_678_901n);
    const ofOther = () => read(`?wallet_address=${other.address}`);
    await expect.poll(ofOther).toMatchObject({ balance: 12.345678901, stale: false });
  });

  test('of an invalid address is refused', async () => {
    const site = await open({ chain: local() });
    const player = await site.login();
    for (const address of ['', 'x', '0OIl', `${createWallet(1).address}x`, 'a'.repeat(65)]) {
      const refused = await player.call(`${BALANCE}?wallet_address=${address}`);
      expect(refused, address).toMatchObject({ status: 400, data: { error: 'bad-input' } });
      expect(refused.message, address).toMatch(/^wallet_address must/);
    }
  });

  test('stays, marked as stale, while the chain is unreachable; it is 0 if never known', async () => {
    const site = await open({ chain: local() });
    const player = await site.login(await fundedWallet());
    const read = async () => (await player.call<Balance>(BALANCE)).data;
    await expect.poll(read).toMatchObject({ balance: 3, stale: false });
    chain.local.faults.away('first');
    chain.local.faults.away('second');
    await expect.poll(read).toMatchObject({ balance: 3, stale: true });
    const other = await site.login();
    const unknown = await other.call<Balance>(BALANCE);
    expect(unknown.data).toMatchObject({ balance: 0, stale: true, as_of: null });
    chain.local.faults.clear();
    await expect.poll(read).toMatchObject({ balance: 3, stale: false });
  });

  test('does not wait for a slow chain', async () => {
    const site = await open({ chain: local() });
    const player = await site.login();
    for (const node of ['first', 'second'] as const) {
      chain.local.faults.answerLate('getAccountInfo', 60_000, 50, node);
    }
    expect(await player.call<Balance>(BALANCE)).toMatchObject({ data: { stale: true } });
  });
});

async function fundedWallet() {
  const wallet = createWallet();
  await chain.fund(3n * BSM, wallet);
  return wallet;
}

describe('with any other chain', () => {
  test('faucet and proxy do not exist', async () => {
    const site = await open({ chain: outside() });
    const player = await site.login();
    for (const method of ['GET', 'POST', 'PUT'] as const) {
      const answer = await player.call(FAUCET, { method, body: method === 'GET' ? undefined : {} });
      expect([answer.status, answer.message]).toEqual([404, 'there is no such path']);
      const proxied = await fetch(`${site.url}/chain`, {
        method,
        ...(method === 'GET' ? {} : { body: '{}' }),
        headers: { 'content-type': 'application/json' },
      });
      expect(proxied.status).toBe(404);
    }
    const answer = await fetch(`${site.url}/api/docs/json`);
    const { paths } = (await answer.json()) as { paths: Record<string, unknown> };
    const documented = Object.keys(paths).filter((path) =>
      /wallet-balance|faucet|chain/.test(path),
    );
    expect(documented).toEqual(['/user/wallet-balance']);
    const { data } = await site.call('/config/system');
    expect(data).toMatchObject({
      network: 'devnet',
      rpc_url: 'https://rpc.test/v1',
      faucet: false,
    });
    const { data: balances } = await player.call<{ points_balance: number }>('/user/balance');
    expect(balances.points_balance).toBe(0);
  });

  test('pages may connect to that RPC and no other origin', async () => {
    const webRoot = mkdtempSync(join(tmpdir(), 'reelbook-web-'));
    writeFileSync(join(webRoot, 'index.html'), '<!doctype html>');
    const site = await open({ chain: outside(), webRoot });
    const policy = (await fetch(`${site.url}/`)).headers.get('content-security-policy');
    expect(policy).toContain("connect-src 'self' https://rpc.test;");
    rmSync(webRoot, { recursive: true });
  });

  test('a start with the wrong kind of chain fails', async () => {
    await expect(startSite({ chain: outside(), localChain: true })).rejects.toThrow('one kind');
    await expect(startSite({ chain: local(), localChain: false })).rejects.toThrow('one kind');
  });
});

test('the ledger pins its token permanently; a start with another is refused', async () => {
  const database = await createDatabase();
  const executors = Array.from({ length: 4 }, () =>
    startExecutor({ pool: database.pool('app', 2) }),
  );
  const [executor] = executors;
  if (!executor) throw new Error('there are four');
  await seedConfig(executor, { localChain: true, games });
  const token = { contract: createWallet(1).address, projectWallet: createWallet(2).address };
  await Promise.all(executors.map((one) => pinToken(one, token)));
  const { rows } = await database.pool('app').query('select version from streams');
  expect(rows).toEqual([{ version: 2 }]);
  await pinToken(executor, token);
  const other = { ...token, contract: createWallet(3).address };
  await expect(pinToken(executor, other)).rejects.toThrow('belongs to another token');
  for (const one of executors) await one.close();
  await database.drop();
});
