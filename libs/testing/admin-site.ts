import { randomUUID } from 'node:crypto';
import { startAdmin } from '@reelbook/admin/admin';
import { openLocalLinks } from '@reelbook/admin/links';
import { startSpine } from '@reelbook/event-store/execute';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { type Answer, type Call, call } from './demo/api.ts';
import type { TestSite } from './site.ts';
import { createWallet, type TestWallet } from './wallets.ts';

/** The operators' console beside a site, on its book and under its session key. */
export interface AdminSite {
  readonly url: string;
  /** The texts of two one-time links. */
  readonly links: readonly string[];
  /** Somebody of each role, signed in. */
  readonly by: Readonly<Record<Role, TestOperator>>;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
  /** Makes a new wallet an operator, and signs in. */
  add(role: Role): Promise<TestOperator>;
  signIn(wallet: TestWallet): Promise<TestOperator>;
  close(): Promise<void>;
}

export interface TestOperator {
  readonly wallet: TestWallet;
  readonly token: string;
  call<Data>(path: string, o?: Call): Promise<Answer<Data>>;
}

/** `webRoot` is the folder of the built console; without it the API alone. */
export async function startAdminSite(
  site: TestSite,
  { webRoot = null }: { readonly webRoot?: string | null } = {},
): Promise<AdminSite> {
  const { pool, bus, log, sessionKey, receiptKey, vault } = site;
  const spine = startSpine({ pool });
  const { links, texts } = await openLocalLinks({ spine, sessionKey, localChain: true });
  await spine.close();
  const settings = { host: '127.0.0.1', port: 0, sessionKey, localChain: true, webRoot };
  const admin = await startAdmin({
    ...{ pool, bus, log, settings, links, vault, signKey: receiptKey },
    work: {
      databaseUrl: site.database.url,
      chain: { urls: null, wallets: null, accepted: [], folder: null },
    },
  });
  const { url } = admin;
  const signIn = async (wallet: TestWallet): Promise<TestOperator> => {
    const { status, message, data } = await call<{ token: string }>(url, '/admin/auth/sign-in', {
      body: wallet.signIn(Date.now()),
    });
    if (status !== 200) throw new Error(`sign-in: ${status} ${message}`);
    const { token } = data;
    return { wallet, token, call: (path, o) => call(url, path, { token, ...o }) };
  };
  const add = async (role: Role) => {
    const wallet = createWallet();
    await addOperator(pool, wallet.address, role);
    return signIn(wallet);
  };
  const by = {} as Record<Role, TestOperator>;
  for (const role of ROLES) by[role] = await add(role);
  return {
    ...{ url, links: texts, by, add, signIn, close: admin.close },
    call: (path, o) => call(url, path, o),
  };
}

/** As `npm run operator` does it. */
export async function addOperator(pool: pg.Pool, operator: string, role: Role): Promise<void> {
  const spine = startSpine({ pool });
  const executed = await spine.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    claim: `command:system:test:${randomUUID()}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:operator-command' },
    prepare: async () => ({
      command: { type: 'AddOperator' as const, operator, role, reason: 'of a test' },
      configVersion: null,
    }),
  });
  await spine.close();
  if (executed.kind !== 'done') throw new Error('no operator was added');
}
