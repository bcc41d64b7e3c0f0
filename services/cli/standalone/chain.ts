import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { openRealChain } from '@reelbook/gateway/chain';
import type { GatewayChain, GatewayLocalChain } from '@reelbook/gateway/context';
import { assert } from '@reelbook/ledger/assert';
import { DECIMALS, toNumber, unit } from '@reelbook/ledger/money';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { CHAIN_URL_FILE, TREASURY_WALLET_FILE } from '@reelbook/runtime/data-folder';
import { type Lifecycle, StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { codeOf } from '@reelbook/runtime/processes';
import type { Settings } from '@reelbook/runtime/settings';
import { createSigner, readSigner, type Signer } from '@reelbook/solana/keys';
import type { LocalChain } from '@reelbook/solana/local-chain/errors';
import {
  createMint,
  hasTokens,
  type LocalToken,
  mintTokens,
} from '@reelbook/solana/local-chain/token';
import { openChain } from '@reelbook/solana/rpc';

/** One payment: enough to deposit and exchange, and SOL for some hundred transactions. */
const PAYMENT_MINOR = 100n * unit('token');
const PAYMENT_LAMPORTS = 50_000_000n;
const LAMPORTS_A_SOL = 1e9;
/** A wallet gets one payment in this time. */
const EVERY_MS = 10 * 60_000;
/** Limit of all wallets together in this time, because new wallets cost nothing. */
const PAYMENTS_MAX = 1_000;

/**
 * Play money of the local chain. Mints in this process, without a URL, so it can never pay on another chain. Mints new
 * tokens, so that the treasury's balance matches the ledger.
 */
export function openFaucet(
  local: LocalChain,
  token: LocalToken,
  now: () => number = Date.now,
): GatewayLocalChain['faucet'] {
  /** The time of each wallet's last payment, oldest first, within EVERY_MS. */
  const given = new Map<string, number>();
  return async (wallet) => {
    const timeMs = now();
    for (const [one, atMs] of given) if (atMs <= timeMs - EVERY_MS) given.delete(one);
    const oldest = given.values().next().value ?? timeMs;
    const lastMs = given.get(wallet) ?? (given.size >= PAYMENTS_MAX ? oldest : null);
    if (lastMs !== null) {
      const waitS = Math.ceil((lastMs + EVERY_MS - timeMs) / 1_000);
      return { waitS, minutes: EVERY_MS / 60_000 };
    }
    // Before the payment: two concurrent calls make one payment.
    given.set(wallet, timeMs);
    try {
      const hash = await mintTokens(local, token, {
        wallet,
        amountMinor: PAYMENT_MINOR,
        lamports: PAYMENT_LAMPORTS,
      });
      // One block, so that the payment is confirmed when the player receives the response.
      local.advance(1);
      return {
        wallet_address: wallet,
        amount: toNumber('token', PAYMENT_MINOR),
        sol: Number(PAYMENT_LAMPORTS) / LAMPORTS_A_SOL,
        tx_hash: hash,
        next_at: new Date(timeMs + EVERY_MS).toISOString(),
      };
    } catch (error) {
      given.delete(wallet);
      throw error;
    }
  };
}

/** Opening balance of the local chain's treasury, on the chain and in the ledger: 1,000,000 BSM. */
const OPENING_MINOR = 1_000_000n * unit('token');

/**
 * Records the opening balance of the local chain's treasury, so that exchange has cover. The idempotency key makes later
 * starts a no-op.
 */
export async function openTreasury(executor: CommandExecutor): Promise<void> {
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: 'treasury:opening',
    request: null,
    meta: { correlation: 'treasury-opening', actor: 'system:standalone' },
    prepare: async () => ({
      command: {
        type: 'ObserveTreasury' as const,
        tokenMinor: OPENING_MINOR,
        source: 'local-chain',
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', 'an observation is never refused');
}

/** For the fees of the treasury's withdrawals: about a thousand new token accounts. */
const OPENING_LAMPORTS = 5_000_000_000n;
const KEYS_FILE = 'keys.json';
const RPC_TIMEOUT_MS = 8_000;

/** The chain of the settings, else a local one. */
interface StandaloneChain {
  readonly gateway: GatewayChain;
  /** Signs withdrawals; null without a key. */
  readonly treasury: Signer | null;
  /** Shown by the banner. */
  readonly where: string;
}

export async function openStandaloneChain(
  settings: Settings,
  life: Lifecycle,
  log: Logger,
): Promise<StandaloneChain> {
  const external = chainOf(settings);
  if (!external) return openLocalChain(settings, life, log);
  const key = settings.treasuryKey;
  const hosts = external.urls.map((url) => new URL(url).hostname).join(', ');
  return {
    gateway: await openRealChain(external, log),
    treasury: key && readSigner(key),
    where: `${external.network}, by ${hosts}`,
  };
}

async function openLocalChain(
  settings: Settings,
  life: Lifecycle,
  log: Logger,
): Promise<StandaloneChain> {
  const { folder, keys, token } = readLocalKeys(settings);
  const local = await start(folder, settings);
  life.onClose('chain', local.close);
  // For the audit, which compares the ledger with the chain.
  writeFileSync(join(settings.dataDir, CHAIN_URL_FILE), local.url, { mode: 0o600 });
  writeFileSync(join(settings.dataDir, TREASURY_WALLET_FILE), keys.treasury.address, {
    mode: 0o600,
  });
  const chain = openChain({
    urls: [local.url],
    mint: keys.mint.address,
    wallet: keys.treasury.address,
    decimals: DECIMALS.token,
    timeoutMs: RPC_TIMEOUT_MS,
    onTrouble: (trouble) => log.warn(trouble, 'the local chain failed'),
  });
  await fundTreasury(local, token, keys.treasury);
  const access = { rpcUrl: local.url, faucet: openFaucet(local, token) };
  return {
    gateway: { chain, network: 'local', publicRpcUrl: null, local: access },
    treasury: keys.treasury,
    where: `local, in ${folder} (Solana RPC on ${local.url})`,
  };
}

/** Creates the mint and funds the treasury, once: the treasury's token account exists only with its tokens. */
async function fundTreasury(local: LocalChain, token: LocalToken, treasury: Signer): Promise<void> {
  await createMint(local, token);
  if (!(await hasTokens(local, token, treasury.address))) {
    await mintTokens(local, token, {
      wallet: treasury.address,
      amountMinor: OPENING_MINOR,
      lamports: OPENING_LAMPORTS,
    });
  }
  // Finalized before the cashier starts: tokens that finalize later would be a deposit.
  local.advance(local.blocksToFinal);
}

/** The folder and the keys of the local chain. */
function readLocalKeys(settings: Settings) {
  const folder = join(settings.dataDir, 'chain');
  const keys = settings.localChainKeys ? parseKeys(settings.localChainKeys) : keepKeys(folder);
  const token: LocalToken = { ...keys, decimals: DECIMALS.token };
  return { folder, keys, token };
}

/**
 * Serves the local chain to services in other processes. Creates mint and treasury before the port opens, so that no
 * cashier starts before the treasury has its tokens.
 */
export async function serveLocalChain(
  settings: Settings,
  life: Lifecycle,
): Promise<{ readonly url: string; readonly faucet: GatewayLocalChain['faucet'] }> {
  const { folder, keys, token } = readLocalKeys(settings);
  const hidden = await start(folder, { ...settings, localChainPort: 0 });
  await fundTreasury(hidden, token, keys.treasury);
  await hidden.close();
  const local = await start(folder, settings, settings.host);
  life.onClose('chain', local.close);
  return { url: local.url, faucet: openFaucet(local, token) };
}

async function start(folder: string, settings: Settings, host = '127.0.0.1'): Promise<LocalChain> {
  // Loaded on demand: an external chain needs no virtual machine in this process.
  const { startLocalChain } = await import('@reelbook/solana/local-chain/start');
  const { localChainPort: port } = settings;
  try {
    return await startLocalChain({
      folder,
      host,
      port,
      confirmAfterMs: settings.localConfirmMs,
      finalizeAfterMs: settings.localFinalizeMs,
    });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new StartError(`LOCAL_CHAIN_PORT=${port} is in use by another program; choose another.`);
  }
}

type KeyName = 'mint' | 'authority' | 'treasury';

/** The keys of the local chain, created at its first start. They protect only play money. */
function keepKeys(folder: string): Readonly<Record<KeyName, Signer>> {
  const file = join(folder, KEYS_FILE);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, makeKeys(), { mode: 0o600, flag: 'wx' });
  }
  return parseKeys(readFileSync(file, 'utf8'));
}

/** New keys of a local chain, as JSON. */
export function makeKeys(): string {
  const fresh = () => Buffer.from(createSigner().secret).toString('base64');
  const keys: Record<KeyName, string> = { mint: fresh(), authority: fresh(), treasury: fresh() };
  return JSON.stringify(keys);
}

export function parseKeys(text: string): Readonly<Record<KeyName, Signer>> {
  const kept = JSON.parse(text) as Record<KeyName, string>;
  const read = (name: KeyName) => readSigner(Buffer.from(kept[name], 'base64'));
  return { mint: read('mint'), authority: read('authority'), treasury: read('treasury') };
}
