import { startAdmin } from '@reelbook/admin/admin';
import type { OperatorSession } from '@reelbook/admin/answers';
import { addLocalOperators, createLinks, openLinks } from '@reelbook/admin/links';
import { startExecutor } from '@reelbook/event-store/execute';
import type { Role } from '@reelbook/ledger/operators/roles';
import { WAIT_MS } from '@reelbook/ledger/proposals';
import { addOperator } from '@reelbook/testing/operators';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet, TEST_CONSOLE_ORIGIN, type TestWallet } from '@reelbook/testing/wallets';
import { expect, vi } from 'vitest';
import { type Answer, type Call, call } from '../client/api.ts';
import type { TestSite } from './site.ts';

/** The operators' console of a site, on its ledger and under its session key. */
export interface AdminSite {
  readonly url: string;
  /** The texts of two one-time links. */
  readonly links: readonly string[];
  /** Somebody of each role, signed in. The admin is the first of the two that the links belong to. */
  readonly by: Readonly<Record<Role, TestOperator>>;
  /** The second admin: who approves. */
  readonly second: TestOperator;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
  /** Signs a new wallet in that was made an operator before there were two admins; throws when none is left. */
  add(role: SpareRole): Promise<TestOperator>;
  signIn(wallet: TestWallet): Promise<TestOperator>;
  /** The second admin approves a proposal, as soon as its wait is over. */
  approve(number: number | null): Promise<void>;
  close(): Promise<void>;
}

export interface TestOperator {
  /** Of an admin only the address is real: no wallet signs for it. */
  readonly wallet: TestWallet;
  readonly token: string;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
}

type SpareRole = 'viewer' | 'operator';
const SPARES = { viewer: 5, operator: 9 } as const;
const APPROVE = { timeout: WAIT_MS.play + WAIT.timeout, interval: 200 };

/** `webRoot` is the folder of the built console; without it the API alone. */
export async function startAdminSite(
  site: TestSite,
  { webRoot = null }: { readonly webRoot?: string | null } = {},
): Promise<AdminSite> {
  const { pool, standby, bus, log, sessionKey, receiptKey, vault } = site;
  // From the shell, before the first two admins: from then on a role takes both of them and the wait.
  const spares: Record<SpareRole, TestWallet[]> = { viewer: [], operator: [] };
  for (const role of ['viewer', 'operator'] as const) {
    spares[role] = Array.from({ length: SPARES[role] }, () => createWallet());
    for (const { address } of spares[role]) await addOperator(pool, address, role);
  }
  const auditor = createWallet();
  await addOperator(pool, auditor.address, 'auditor');
  const executor = startExecutor({ pool });
  await addLocalOperators(executor, sessionKey);
  const created = () => createLinks(executor, sessionKey);
  const [own, given] = [await created(), await created()];
  await executor.close();
  const settings = {
    host: '127.0.0.1',
    port: 0,
    consoleOrigin: TEST_CONSOLE_ORIGIN,
    sessionKey,
    localChain: true,
    webRoot,
  };
  const admin = await startAdmin({
    pool,
    standby,
    bus,
    log,
    settings,
    links: openLinks(sessionKey),
    vault,
    signKey: receiptKey,
    work: {
      databaseUrl: site.database.url,
      chain: { urls: null, wallets: null, accepted: [], folder: null },
    },
  });
  const { url } = admin;
  const enter = async (path: string, body: object, wallet: TestWallet): Promise<TestOperator> => {
    const { status, message, data } = await call<OperatorSession>(url, path, { body });
    if (status !== 200) throw new Error(`sign-in: ${status} ${message}`);
    const { token, operator } = data;
    const signed = { ...wallet, address: operator };
    return { wallet: signed, token, call: (path, o) => call(url, path, { token, ...o }) };
  };
  const signIn = (wallet: TestWallet) =>
    enter('/admin/auth/sign-in', wallet.signIn(Date.now()), wallet);
  const add = (role: SpareRole) => {
    const wallet = spares[role].pop();
    if (!wallet) throw new Error(`no ${role} is left: raise SPARES`);
    return signIn(wallet);
  };
  const [first, second] = await Promise.all(
    own.map((link) => enter('/admin/auth/link', { link }, createWallet())),
  );
  if (!first || !second) throw new Error('the links sign two admins in');
  const by = {
    viewer: await add('viewer'),
    auditor: await signIn(auditor),
    operator: await add('operator'),
    admin: first,
  };
  return {
    url,
    links: given,
    by,
    second,
    add,
    signIn,
    close: admin.close,
    call: (path, o) => call(url, path, o),
    async approve(number) {
      const path = `/admin/proposals/${number}/approve`;
      await vi.waitFor(async () => {
        const { status, message } = await second.call(path, { body: { reason: 'agreed' } });
        expect([status, message]).toEqual([200, expect.any(String)]);
      }, APPROVE);
    },
  };
}
