/**
 * The files of the standalone in DATA_DIR next to its database. Commands read them to find a running standalone;
 * settings take precedence.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TreasuryWallet, treasuryAddress } from './chain-settings.ts';
import type { Settings } from './settings.ts';

const SECRET_BYTES = 32;
const KEY_ID_CHARS = 8;

/** URL of the embedded Postgres while it runs (with its password; mode 0600). */
export const DATABASE_URL_FILE = 'database-url';
/** URL of the local chain's RPC while it runs. */
export const CHAIN_URL_FILE = 'chain-url';
/** URL of the operators' console, for one-time links. */
export const CONSOLE_URL_FILE = 'console-url';
/** Address of the local chain's treasury, for the audit, which must not read it from the ledger. */
export const TREASURY_WALLET_FILE = 'treasury-wallet';
/** Folder of the transactions that audits have read from the chain. */
const AUDIT_FOLDER = 'audit';
const SEED_KEY_FILE = 'seed-key';
const SESSION_KEY_FILE = 'session-key';
const RECEIPT_KEY_FILE = 'receipt-key';

/** DATABASE_URL, or the URL of the standalone in DATA_DIR; null without data. */
export function findDatabaseUrl(settings: Settings): string | null {
  return settings.databaseUrl ?? readText(join(settings.dataDir, DATABASE_URL_FILE));
}

/** SOLANA_RPC_URL, or the local chain of the standalone in DATA_DIR; null without data. */
function findRpcUrls(
  settings: Pick<Settings, 'dataDir' | 'solanaRpcUrl'>,
): readonly string[] | null {
  const own = readText(join(settings.dataDir, CHAIN_URL_FILE));
  return settings.solanaRpcUrl ?? (own ? [own] : null);
}

/** The chain that the audit compares with. Read from settings and the standalone's files, never from the ledger. */
export function findAuditedChain(
  settings: Pick<
    Settings,
    | 'dataDir'
    | 'solanaRpcUrl'
    | 'treasuryWallets'
    | 'treasuryWallet'
    | 'treasuryKey'
    | 'treasuryTransfers'
  >,
): {
  readonly urls: readonly string[] | null;
  readonly wallets: readonly TreasuryWallet[] | null;
  readonly accepted: readonly string[];
  readonly folder: string;
} {
  // The local chain's treasury only if the local chain is used.
  const local = settings.solanaRpcUrl
    ? null
    : readText(join(settings.dataDir, TREASURY_WALLET_FILE));
  const wallet = treasuryAddress(settings) ?? local;
  return {
    urls: findRpcUrls(settings),
    wallets: settings.treasuryWallets ?? (wallet ? [{ wallet, fromSlot: null }] : null),
    accepted: settings.treasuryTransfers ?? [],
    folder: join(settings.dataDir, AUDIT_FOLDER),
  };
}

/** SEED_KEY, or the key of the standalone in DATA_DIR. */
export function findSeedKey(settings: Pick<Settings, 'dataDir' | 'seedKey'>): Buffer | null {
  const hex = readText(join(settings.dataDir, SEED_KEY_FILE));
  return settings.seedKey ?? (hex ? Buffer.from(hex, 'hex') : null);
}

/** CONSOLE_ORIGIN, or the URL of the standalone's console in DATA_DIR; null if it never ran. */
export function findConsoleUrl(
  settings: Pick<Settings, 'dataDir' | 'consoleOrigin'>,
): string | null {
  return settings.consoleOrigin ?? readText(join(settings.dataDir, CONSOLE_URL_FILE));
}

/** SESSION_KEY, or the key of the standalone in DATA_DIR. */
export function findSessionKey(settings: Pick<Settings, 'dataDir' | 'sessionKey'>): Buffer | null {
  const hex = readText(join(settings.dataDir, SESSION_KEY_FILE));
  return settings.sessionKey ?? (hex ? Buffer.from(hex, 'hex') : null);
}

/** RECEIPT_KEY, or the key of the standalone in DATA_DIR. */
export function findReceiptKey(settings: Pick<Settings, 'dataDir' | 'receiptKey'>): Buffer | null {
  const hex = readText(join(settings.dataDir, RECEIPT_KEY_FILE));
  return settings.receiptKey ?? (hex ? Buffer.from(hex, 'hex') : null);
}

/** The keys of the standalone: from settings, else created at its first start. */
export function keepKeys(settings: Settings): {
  seedKey: Buffer;
  sessionKey: Buffer;
  receiptKey: Buffer;
} {
  return {
    seedKey: settings.seedKey ?? keepSecret(join(settings.dataDir, SEED_KEY_FILE)),
    sessionKey: settings.sessionKey ?? keepSecret(join(settings.dataDir, SESSION_KEY_FILE)),
    receiptKey: settings.receiptKey ?? keepSecret(join(settings.dataDir, RECEIPT_KEY_FILE)),
  };
}

/** SEED_KEY_ID, or a fingerprint: a wrong key is then reported by name instead of by a failed decryption. */
export function seedKeyIdOf(
  settings: { readonly seedKeyId: string | null },
  seedKey: Buffer,
): string {
  if (settings.seedKeyId) return settings.seedKeyId;
  const digest = createHash('sha256').update('reelbook seed key').update(seedKey).digest('hex');
  return digest.slice(0, KEY_ID_CHARS);
}

function keepSecret(file: string): Buffer {
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(SECRET_BYTES).toString('hex'), { mode: 0o600, flag: 'wx' });
  }
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (secret.length !== SECRET_BYTES) {
    throw new Error(
      `${file} does not contain ${SECRET_BYTES} bytes in hex; restore it from a copy`,
    );
  }
  return secret;
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
