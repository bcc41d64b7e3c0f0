import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayChain, GatewayLocalChain } from '@reelbook/gateway/context';
import { openRealChain } from '@reelbook/gateway/real-chain';
import { DECIMALS } from '@reelbook/ledger/money';
import { chainOf } from '@reelbook/runtime/chain-settings';
import { CHAIN_URL_FILE, TREASURY_WALLET_FILE } from '@reelbook/runtime/data-folder';
import { type Lifecycle, StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import { codeOf } from '@reelbook/runtime/processes';
import type { Settings } from '@reelbook/runtime/settings';
import { createSigner, readSigner, type Signer } from '@reelbook/solana/keys';
import type { LocalChain } from '@reelbook/solana/local-chain/api';
import {
  createMint,
  hasTokens,
  type LocalToken,
  mintTokens,
} from '@reelbook/solana/local-chain/token';
import { openChain } from '@reelbook/solana/rpc';
import { openFaucet } from './faucet.ts';
import { OPENING_MINOR } from './treasury.ts';

/** For the fees of the treasury's withdrawals: about a thousand new token accounts. */
const OPENING_LAMPORTS = 5_000_000_000n;
const KEYS_FILE = 'keys.json';
const RPC_TIMEOUT_MS = 8_000;

/** The chain of the settings, else a local one. */
export interface StandaloneChain {
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
