import { randomUUID } from 'node:crypto';
import { startAdmin } from '@reelbook/admin/admin';
import { openLocalLinks } from '@reelbook/admin/links';
import type { OperatorSession } from '@reelbook/contract/admin/schemas';
import { startSpine } from '@reelbook/event-store/execute';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { Role } from '@reelbook/ledger/operators/roles';
import { WAIT_MS } from '@reelbook/ledger/proposals';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { type Answer, type Call, call } from './demo/api.ts';
import type { TestSite } from './site.ts';
import { createWallet, type TestWallet } from './wallets.ts';

/** The operators' console of a site, on its ledger and under its session key. */
export interface AdminSite {
  readonly url: string;
  /** The texts of two one-time links. */
  readonly links: readonly string[];
  /** Somebody of each role, signed in. The admin is the first of the two that the links belong to. */
  readonly by: Readonly<Record<Role, TestOperator>>;
  /** The second admin: who confirms. */
  readonly second: TestOperator;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
  /** Signs a new wallet in that was made an operator before there were two admins; throws when none is left. */
  add(role: SpareRole): Promise<TestOperator>;
  signIn(wallet: TestWallet): Promise<TestOperator>;
  /** The second admin confirms a proposal, as soon as its wait is over. */
  confirm(subject: 'configuration' | 'roles', number: number | null): Promise<void>;
  close(): Promise<void>;
}

export interface TestOperator {
  /** Of an admin only the address is real: no wallet signs for it. */
  readonly wallet: TestWallet;
  readonly token: string;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
}

type SpareRole = 'viewer' | 'operator';
const SPARES = { viewer: 4, operator: 8 } as const;
const CONFIRM = { timeout: WAIT_MS.play + 30_000, interval: 200 };

/** `webRoot` is the folder of the built console; without it the API alone. */
export async function startAdminSite(
  site: TestSite,
  { webRoot = null }: { readonly webRoot?: string | null } = {},
): Promise<AdminSite> {
  const { pool, bus, log, sessionKey, receiptKey, vault } = site;
  // From the shell, before the first two admins: from then on a role takes both of them and the wait.
  const spares: Record<SpareRole, TestWallet[]> = { viewer: [], operator: [] };
  for (const role of ['viewer', 'operator'] as const) {
    spares[role] = Array.from({ length: SPARES[role] }, () => createWallet());
    for (const { address } of spares[role]) await addOperator(pool, address, role);
  }
  const auditor = createWallet();
  await addOperator(pool, auditor.address, 'auditor');
  const spine = startSpine({ pool });
  const opened = () => openLocalLinks({ spine, sessionKey, localChain: true });
  const [own, given] = [await opened(), await opened()];
  await spine.close();
  const links = { take: (link: string) => own.links.take(link) ?? given.links.take(link) };
  const settings = { host: '127.0.0.1', port: 0, sessionKey, localChain: true, webRoot };
  const admin = await startAdmin({
    ...{ pool, bus, log, settings, links, vault, signKey: receiptKey },
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
    own.texts.map((link) => enter('/admin/auth/link', { link }, createWallet())),
  );
  if (!first || !second) throw new Error('the links sign two admins in');
  const by = {
    ...{ viewer: await add('viewer'), auditor: await signIn(auditor) },
    ...{ operator: await add('operator'), admin: first },
  };
  return {
    ...{ url, links: given.texts, by, second, add, signIn, close: admin.close },
    call: (path, o) => call(url, path, o),
    async confirm(subject, number) {
      const path = `/admin/proposals/${subject}/${number}/confirm`;
      await vi.waitFor(async () => {
        const { status, message } = await second.call(path, { body: { reason: 'agreed' } });
        expect([status, message]).toEqual([200, expect.any(String)]);
      }, CONFIRM);
    },
  };
}

/** As `npm run reelbook -- operator` does it until there are two admins. */
export async function addOperator(pool: pg.Pool, operator: string, role: Role): Promise<void> {
  const spine = startSpine({ pool });
  const by = 'system:operator-command';
  const executed = await spine.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    claim: `command:system:test:${randomUUID()}`,
    request: null,
    meta: { correlation: 'test', actor: by },
    prepare: async () => ({
      command: { type: 'AddOperator' as const, operator, role, reason: 'of a test', by },
      configVersion: null,
    }),
  });
  await spine.close();
  const isAdded = executed.kind === 'done' && executed.events[0]?.event.type === 'OperatorAdded';
  if (!isAdded) throw new Error('no operator was added');
}
