/**
 * What the standalone keeps in DATA_DIR beside its database, and how the commands that work on a running standalone
 * (the audit, the demo) find it: settings win, then these files.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TreasuryWallet, treasuryAddress } from './chain-settings.ts';
import type { Settings } from './settings.ts';

const SECRET_BYTES = 32;
const KEY_ID_CHARS = 8;

/** Holds the URL of the embedded Postgres while it runs (with its password; mode 0600). */
export const DATABASE_URL_FILE = 'database-url';
/** Holds the URL of the standalone's own NATS while it runs (with its password; mode 0600). */
export const NATS_URL_FILE = 'nats-url';
/** Holds the URL of the local chain's RPC while it runs. */
export const CHAIN_URL_FILE = 'chain-url';
/** Holds the address of the local chain's treasury, for the audit, which must not take the ledger's word for it. */
export const TREASURY_WALLET_FILE = 'treasury-wallet';
/** Where audits keep what they saw of the chain. */
const AUDIT_FOLDER = 'audit';
const SEED_KEY_FILE = 'seed-key';
const SESSION_KEY_FILE = 'session-key';
const RECEIPT_KEY_FILE = 'receipt-key';

/** DATABASE_URL, or that of the standalone whose data lie in DATA_DIR; null when it never ran. */
export function findDatabaseUrl(settings: Settings): string | null {
  return settings.databaseUrl ?? readText(join(settings.dataDir, DATABASE_URL_FILE));
}

/** NATS_URL, or that of the standalone that runs in DATA_DIR; null when none does. */
export function findNatsUrl(settings: Pick<Settings, 'dataDir' | 'natsUrl'>): string | null {
  return settings.natsUrl ?? readText(join(settings.dataDir, NATS_URL_FILE));
}

/** SOLANA_RPC_URL, or the local chain of the standalone whose data lie in DATA_DIR; null when it never ran. */
function findRpcUrls(
  settings: Pick<Settings, 'dataDir' | 'solanaRpcUrl'>,
): readonly string[] | null {
  const own = readText(join(settings.dataDir, CHAIN_URL_FILE));
  return settings.solanaRpcUrl ?? (own ? [own] : null);
}

/** What the audit is given of the chain, none of it from the ledger: settings, then the files of the standalone. */
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
  // Of the local chain only where it is the one that is asked.
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

/** SEED_KEY, or that of the standalone whose data lie in DATA_DIR. */
export function findSeedKey(settings: Pick<Settings, 'dataDir' | 'seedKey'>): Buffer | null {
  const hex = readText(join(settings.dataDir, SEED_KEY_FILE));
  return settings.seedKey ?? (hex ? Buffer.from(hex, 'hex') : null);
}

/** RECEIPT_KEY, or that of the standalone whose data lie in DATA_DIR. */
export function findReceiptKey(settings: Pick<Settings, 'dataDir' | 'receiptKey'>): Buffer | null {
  const hex = readText(join(settings.dataDir, RECEIPT_KEY_FILE));
  return settings.receiptKey ?? (hex ? Buffer.from(hex, 'hex') : null);
}

/** The keys of the standalone: the ones set, else the ones made at its first start. */
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

/** SEED_KEY_ID, or a fingerprint: a wrong key is then told by name and not by a failed decryption. */
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
    throw new Error(`${file} does not hold ${SECRET_BYTES} bytes in hex; put its copy back`);
  }
  return secret;
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
