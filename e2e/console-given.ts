/** Fixtures and helpers of the console tests: a player with bets and a deposit, an unmatched deposit, dialogs. */
import type { EventProof } from '@reelbook/contract/player/fairness';
import type { User } from '@reelbook/contract/player/profile';
import { CHAIN_PATH } from '@reelbook/contract/route';
import { call, must, readSentence } from '@reelbook/simulator/client/api';
import { awaitDeposit, sendDeposit } from '@reelbook/solana/deposit';
import { createSigner, keypair, type Signer } from '@reelbook/solana/keys';
import { signDeposit } from '@reelbook/testing/deposit';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { Connection, SystemProgram, Transaction } from '@solana/web3.js';
import type { Browser, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { pages } from '../web-admin/src/lib/paths.ts';
import { visit } from './browser.ts';
import type { Site } from './site.ts';

const BSM = 1_000_000_000n;
const LAMPORTS = 10_000_000;
const WAIT_MS = WAIT.timeout;
const PRESS_MS = 2_000;

/** Queries with which a page shows more. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  travel: ['?view=difference'],
  withdrawals: ['?status=all'],
  house: ['?account=house', '?account=fees'],
};

/** All pages of the console except those of a single event, player or withdrawal. */
export const PAGES = pages
  .filter(([, { title }]) => title)
  .flatMap(([name, { path }]) => (QUERIES[name] ?? ['']).map((query) => path + query));

export interface GivenPlayer {
  readonly address: string;
  readonly wallet: Signer;
  readonly token: string;
  /** Position of the first bet. */
  readonly bet: number;
  /** Requests a withdrawal of a gross amount of BSM, to another wallet with `to`. @returns its id. */
  withdraw(amount: number, to?: string): Promise<string>;
}

/** Logs in, spins three times, reveals the seeds, and deposits 50 BSM. */
export async function givePlayer({ url }: Site): Promise<GivenPlayer> {
  const wallet = createWallet();
  const { token } = await must<{ token: string }>(url, '/auth/login', {
    body: wallet.login(Date.now(), await readSentence(url)),
  });
  const spin = () =>
    must<{ bet_position: number }>(url, '/game/slot-machine/bet', {
      token,
      key: crypto.randomUUID(),
      body: { bet_amount: 5 },
    });
  const bet = (await spin()).bet_position;
  await spin();
  await spin();
  await must(url, '/fairness/rotate', {
    token,
    key: crypto.randomUUID(),
    body: { client_seed: 'e2e' },
  });
  await must(url, '/faucet', { method: 'POST', token, body: {} });
  await deposit(url, wallet, 50n * BSM);
  await vi.waitFor(async () => {
    const held = await must<{ token_balance: number }>(url, '/user/balance', { token });
    expect(held.token_balance).toBe(50);
  }, WAIT);
  return {
    address: wallet.address,
    wallet,
    token,
    bet,
    async withdraw(amount, to = wallet.address) {
      const response = await call<{ withdrawal_id: string }>(url, '/transaction/withdraw', {
        token,
        key: crypto.randomUUID(),
        body: { amount, to_address: to },
      });
      if (response.status !== 200) throw new Error(response.message);
      return response.data.withdrawal_id;
    },
  };
}

/** A deposit of 7 BSM by an unregistered wallet, which gets BSM and SOL from the player. @returns its address. */
export async function giveStranger(
  { url }: Site,
  { wallet: player }: GivenPlayer,
): Promise<string> {
  const stranger = createSigner();
  await deposit(url, player, 7n * BSM, stranger.address);
  const connection = new Connection(url + CHAIN_PATH, 'confirmed');
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const [from, to] = [keypair(player), keypair(stranger)];
  const gift = SystemProgram.transfer({
    fromPubkey: from.publicKey,
    toPubkey: to.publicKey,
    lamports: LAMPORTS,
  });
  const transaction = new Transaction({
    blockhash,
    lastValidBlockHeight,
    feePayer: from.publicKey,
  });
  transaction.add(gift).sign(from);
  await send(url, { bytes: transaction.serialize(), lastValidBlockHeight });
  await deposit(url, stranger, 7n * BSM);
  return stranger.address;
}

/** A transfer to the treasury or to another wallet, as in the player app. Resolves when it is confirmed. */
async function deposit(url: string, from: Signer, amountMinor: bigint, to?: string): Promise<void> {
  const [{ token_contract: mint }, { project_wallet: treasury }] = await Promise.all([
    must<{ token_contract: string }>(url, '/config/token-contract'),
    must<{ project_wallet: string }>(url, '/config/project-wallet'),
  ]);
  const order = { rpcUrl: url + CHAIN_PATH, mint, projectWallet: to ?? treasury, amountMinor };
  // The transfer to this wallet may not be confirmed yet.
  await send(url, await vi.waitFor(() => signDeposit(from, order), WAIT));
}

async function send(
  url: string,
  { bytes, lastValidBlockHeight }: Awaited<ReturnType<typeof signDeposit>>,
): Promise<void> {
  const rpcUrl = url + CHAIN_PATH;
  const signature = await sendDeposit({ rpcUrl, bytes });
  await awaitDeposit({ rpcUrl, signature, lastValidBlockHeight });
}

/** Signs in by a one-time link. @returns the page, and what it throws or logs as an error. */
export async function enterConsole(browser: Browser, link = ''): Promise<[Page, string[]]> {
  const { page, faults } = await visit(browser, 'desktop');
  await page.goto(link);
  await page.getByRole('heading', { name: 'Overview' }).waitFor({ timeout: WAIT_MS });
  return [page, faults];
}

/** The note that the server does not answer. */
export const silence = (page: Page) =>
  page.getByRole('status').filter({ hasText: /^No contact for \d+ s\. Figures of / });

/** From the next page on. */
export const setTheme = (page: Page, theme: 'light' | 'dark') =>
  page.evaluate((kept) => localStorage.setItem('theme', kept), theme);

/** Fills in the reason in the open dialog, and submits it. */
export async function act(
  page: Page,
  action: string,
  reason = 'because of the test',
): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill(reason);
  const submit = dialog.getByRole('button', { name: action, exact: true });
  // Pressed again where it was disabled just then, as on a page without contact for a moment.
  await expect
    .poll(async () => {
      await submit.click({ timeout: PRESS_MS }).catch(() => {});
      return dialog.count();
    }, WAIT)
    .toBe(0);
}

/** Approves the proposal with this text, on its page and after its waiting period. */
export async function approve(page: Page, named: string): Promise<void> {
  await page.goto(new URL('/approvals', page.url()).href);
  const proposal = page.getByTestId('proposal').filter({ hasText: named });
  await proposal.getByRole('button', { name: 'Approve' }).click({ timeout: WAIT_MS });
  await act(page, 'Approve');
}

/** The player opens an event with an anchored seal, and checks the anchor on Solana. */
export async function askSolana(
  browser: Browser,
  { url }: Site,
  { token, bet }: GivenPlayer,
): Promise<void> {
  await vi.waitFor(async () => {
    const { inclusion } = await must<EventProof>(url, `/user/events/${bet}`, { token });
    expect(inclusion?.anchor).toBeTruthy();
  }, WAIT);
  const { context, page } = await visit(browser, 'desktop');
  const user = await must<User>(url, '/user/profile', { token });
  await context.addInitScript(
    ([key, stored]) => {
      localStorage.setItem('token', key ?? '');
      localStorage.setItem('user', stored ?? '');
    },
    [token, JSON.stringify(user)],
  );
  await page.goto(`${url}/?event=${bet}`);
  await page.getByRole('button', { name: 'Check on Solana' }).click({ timeout: WAIT_MS });
  await page.getByRole('dialog').getByText('final on Solana').waitFor({ timeout: WAIT_MS });
  await context.close();
}

/** Changes an event in the database as superuser. The audit must find it. */
export async function tamperWithEvent(
  site: Site,
  position: number,
  from: string,
  to: string,
): Promise<void> {
  const { rowCount } = await site.withPool(
    async (pool) => {
      await pool.query("set session_replication_role = 'replica'");
      return pool.query(
        `update events set body = replace(body::text, $2, $3)::json
          where position = $1 and body::text like '%' || $2 || '%'`,
        [position, from, to],
      );
    },
    { role: 'owner' },
  );
  if (rowCount !== 1) throw new Error(`#${position} does not contain ${from}`);
}

/** A projection that stopped at the event after its position. */
export async function stopProjection(site: Site, name: string): Promise<void> {
  const stop = `update checkpoints set status = 'stopped', error = 'a test', holder = null where name = $1`;
  await site.withPool((pool) => pool.query(stop, [name]), { role: 'owner' });
}

/** Starts a timed round. @returns the position of its stake. */
export async function openRound({ url }: Site, { token }: GivenPlayer): Promise<number> {
  const { position } = await call(url, '/game/snake/start', {
    token,
    key: crypto.randomUUID(),
    body: {},
  });
  if (!position) throw new Error('a started round has a position');
  return position;
}
