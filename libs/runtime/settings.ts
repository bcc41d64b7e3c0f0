import { adminSettings } from './admin-settings.ts';
import {
  address,
  type ChainTexts,
  chainFaults,
  powers,
  rpcUrls,
  signatures,
  signingKey,
  treasuryWallets,
} from './chain-settings.ts';
import {
  choice,
  FILE_SUFFIX,
  folder,
  fourTextsOrLive,
  integer,
  names,
  networks,
  origin,
  type Setting,
  secret,
  secretSetting,
  setting,
  text,
  textOf,
  url,
} from './setting.ts';
import { LAG_ORDERS } from './test-lag.ts';

/** Settings of the tests. */
const testSettings = {
  testDatabaseUrl: secretSetting(
    'TEST_DATABASE_URL',
    url('postgres', 'postgresql'),
    'Postgres for the tests, with a superuser login; default: an embedded Postgres',
  ),
  testContainers: setting(
    'TEST_CONTAINERS',
    choice('yes', 'no'),
    'whether the tests start Postgres and NATS in containers; `npm run test:containers` sets yes',
    'no',
  ),
  testOutageS: setting(
    'TEST_OUTAGE_S',
    integer(1, 600, 'seconds'),
    'duration of an outage in the tests',
    '3',
  ),
  testLag: setting(
    'TEST_LAG',
    choice(...LAG_ORDERS),
    'for tests only: delays each read model by a different time; forward or reverse: increasing or decreasing in registry order',
    'none',
  ),
} as const;

/**
 * Every setting of every process: the only reader of the environment. A wrong or missing setting ends the start; the
 * error lists all faults together.
 */

export const SETTINGS = {
  port: setting(
    'PORT',
    integer(0, 65_535, 'a TCP port'),
    'port of the player site, API and /ws; 0: any free port',
    '8080',
  ),
  host: setting('HOST', text, 'address to listen on; 0.0.0.0: all interfaces', '127.0.0.1'),
  publicOrigin: setting(
    'PUBLIC_ORIGIN',
    origin,
    'origin of the player site in the address bar of browsers, which logins name; default: http://localhost:PORT',
  ),
  ...adminSettings,
  statusPort: setting(
    'STATUS_PORT',
    integer(0, 65_535, 'a TCP port'),
    'internal port of /live, /ready and /metrics of this process; 0: any free port',
    '0',
  ),
  statusHost: setting(
    'STATUS_HOST',
    text,
    'address of STATUS_PORT; must not be reachable by players',
    '127.0.0.1',
  ),
  dataDir: setting(
    'DATA_DIR',
    folder,
    'data folder of the standalone: database, keys, lock',
    '.reelbook',
  ),
  databaseUrl: secretSetting(
    'DATABASE_URL',
    url('postgres', 'postgresql'),
    'Postgres database of the ledger; version 15 or newer; of a cluster all hosts, comma-separated',
  ),
  readDatabaseUrl: secretSetting(
    'READ_DATABASE_URL',
    url('postgres', 'postgresql'),
    'standby of DATABASE_URL for lists, exports and audits; of several hosts, comma-separated, one that is a standby; default: none',
  ),
  natsUrl: secretSetting(
    'NATS_URL',
    url('nats', 'tls', 'ws', 'wss'),
    'NATS server with JetStream; for a cluster several URLs, comma-separated',
  ),
  solanaRpcUrl: secretSetting(
    'SOLANA_RPC_URL',
    rpcUrls,
    'URLs of Solana RPCs, in order of preference; with it, the site has no local chain and no welcome points',
  ),
  singleRpcProvider: setting(
    'SINGLE_RPC_PROVIDER',
    choice('yes', 'no'),
    'yes: the cashier starts although SOLANA_RPC_URL names one provider. Each deposit is then credited on the report of that provider alone',
    'no',
  ),
  publicRpcUrl: setting(
    'PUBLIC_RPC_URL',
    url('http', 'https'),
    'Solana RPC for browsers; must not contain an API key',
  ),
  solanaNetwork: setting(
    'SOLANA_NETWORK',
    choice('mainnet-beta', 'devnet', 'testnet', 'localnet'),
    'name of the network of SOLANA_RPC_URL',
    'mainnet-beta',
  ),
  playMoney: setting(
    'PLAY_MONEY',
    choice('yes', 'no'),
    'yes: if SOLANA_RPC_URL is not set, the gateway serves a play-money ledger with welcome points',
    'no',
  ),
  tokenMint: setting('TOKEN_MINT', address, 'address of the mint of BSM'),
  tokenAllow: setting(
    'TOKEN_ALLOW',
    powers,
    'powers of the mint to accept although they put deposits at risk: permanent-delegate, transfer-hook',
  ),
  treasuryWallet: setting(
    'TREASURY_WALLET',
    address,
    'address that receives deposits; default: the address of TREASURY_KEY',
  ),
  treasuryKey: secretSetting(
    'TREASURY_KEY',
    signingKey,
    'key of the treasury, which signs withdrawals; only for the cashier',
  ),
  treasuryWallets: setting(
    'TREASURY_WALLETS',
    treasuryWallets,
    'for the audit: all current and former treasury wallets; append `@slot` to ignore transactions before that slot; default: TREASURY_WALLET, or the wallet of the standalone',
  ),
  treasuryTransfers: setting(
    'TREASURY_TRANSFERS',
    signatures,
    'for the audit: signatures of treasury transfers that were made without Reelbook, such as to a cold wallet',
  ),
  localChainPort: setting(
    'LOCAL_CHAIN_PORT',
    integer(0, 65_535, 'a TCP port'),
    'port of the local chain; 0: any free port',
    '0',
  ),
  localChainKeys: secretSetting(
    'LOCAL_CHAIN_KEYS',
    text,
    'keys of the local chain, as `npm run reelbook -- keys` creates them; default: created at its first start',
  ),
  localConfirmMs: setting(
    'LOCAL_CONFIRM_MS',
    integer(1, 60_000, 'milliseconds'),
    'time until the local chain confirms a transaction',
    '400',
  ),
  localFinalizeMs: setting(
    'LOCAL_FINALIZE_MS',
    integer(1, 60_000, 'milliseconds'),
    'time until the local chain finalizes a transaction; about 13000 on a real chain',
    '2000',
  ),
  gameTickMs: setting(
    'GAME_TICK_MS',
    integer(1, 60_000, 'milliseconds'),
    'duration of a tick of a timed game; values other than 1000 are for the local chain only',
    '1000',
  ),
  seedKey: secretSetting('SEED_KEY', secret, 'key that encrypts server seeds at rest'),
  seedKeyId: setting(
    'SEED_KEY_ID',
    text,
    'identifier of SEED_KEY, stored with each seed; default: a fingerprint of the key',
  ),
  sessionKey: secretSetting('SESSION_KEY', secret, 'key that hashes session tokens'),
  receiptKey: secretSetting(
    'RECEIPT_KEY',
    secret,
    'ed25519 private key that signs receipts of rounds and manifests of exports',
  ),
  sealEveryEvents: setting(
    'SEAL_EVERY_EVENTS',
    integer(16, 16_384, 'events'),
    'number of unsealed events after which the auditor seals the ledger',
    '4096',
  ),
  sealEveryMinutes: setting(
    'SEAL_EVERY_MINUTES',
    integer(1, 1_440, 'minutes'),
    'age of the oldest unsealed event after which the auditor seals the ledger',
    '10',
  ),
  anchorEveryMinutes: setting(
    'ANCHOR_EVERY_MINUTES',
    integer(0, 10_080, 'minutes'),
    'minimum interval between two anchors (memos on the chain with the roots of seals); 0: no anchors',
    '10',
  ),
  buildCommit: setting(
    'BUILD_COMMIT',
    text,
    'Git commit of the build, for `reelbook_build_info`; set in the image',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'minimum log level: fatal, error, warn, info, debug, trace, silent',
  ),
  poolMax: setting(
    'POOL_MAX',
    integer(2, 200, 'connections'),
    'maximum connections of a process to Postgres',
    '10',
  ),
  projections: setting(
    'PROJECTIONS',
    names,
    'projections that this projector updates; default: all',
  ),
  webRoot: setting('WEB_ROOT', folder, 'folder of the built player app, served by the gateway'),
  trustProxy: setting(
    'TRUST_PROXY',
    networks,
    'proxies whose X-Forwarded-For identifies the client for rate limits; default: none, the header is ignored',
  ),
  firstLoginsPerHour: setting(
    'FIRST_LOGINS_PER_HOUR',
    integer(1, 1_000_000, 'wallets'),
    'maximum new wallets that log in per hour, IP address and gateway; default: 100 with a real chain, 10000 with play money',
  ),
  freeActsPerDay: setting(
    'FREE_ACTS_PER_DAY',
    integer(8, 86_400, 'acts'),
    'acts without a stake that a wallet may add to the ledger per day, because nothing deletes them; a seed rotation counts as four; default: 96',
  ),
  chainReadsPerMinute: setting(
    'CHAIN_READS_PER_MINUTE',
    integer(1, 1_000_000, 'reads'),
    'maximum RPC calls per minute, player and gateway, so that no player uses up the quota of the RPC; default: 120',
  ),
  homeFigures: setting(
    'HOME_FIGURES',
    fourTextsOrLive,
    'four texts on the home page: players, points distributed, availability, uptime, shown once the ledger has a round; "live": figures computed from the ledger',
    '10K+,1M+,24/7,99.9%',
  ),
  ...testSettings,
} as const;

type Table = typeof SETTINGS;
export type SettingName = keyof Table;
type Value<K extends SettingName> = ReturnType<Table[K]['parse']>;
/** Settings without a default are null if they are not set, unless the caller requires them. */
export type Settings<Required extends SettingName = never> = {
  readonly [K in SettingName]: Table[K]['fallback'] extends string ? Value<K> : Value<K> | null;
} & { readonly [K in Required]: Value<K> };

export class SettingsError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`Wrong settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/**
 * Reads all settings; the `required` ones must be set. An empty value counts as not set. Throws SettingsError with every
 * fault.
 */
export function readSettings<const R extends SettingName = never>(
  required: readonly R[] = [],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings<R> {
  const faults: string[] = [];
  const faulty = new Set<SettingName>();
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const one: Setting<unknown> = SETTINGS[name];
    const fromFile = environment[one.env + FILE_SUFFIX]?.trim() ? FILE_SUFFIX : '';
    values[name] = null;
    try {
      const given = textOf(one, environment) || one.fallback;
      if (given !== null) values[name] = one.parse(given);
      else if ((required as readonly SettingName[]).includes(name)) {
        const missing = fromFile
          ? `${one.env}${fromFile} is an empty file`
          : `${one.env} must be set`;
        faults.push(`${missing}: ${one.meaning}`);
      }
    } catch (error) {
      faulty.add(name);
      const fault = error instanceof Error ? error.message : String(error);
      faults.push(`${one.env}${fromFile} ${fault}`);
    }
  }
  // A setting with its own fault is not checked together with others.
  for (const { of, text: fault } of chainFaults(values as unknown as ChainTexts)) {
    if (!of.some((name) => faulty.has(name))) faults.push(fault);
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return values as Settings<R>;
}

/** Whether standard output is a terminal: for readable logs and progress lines. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** The folders of the PATH. */
export function programPath(): readonly string[] {
  return (process.env.PATH ?? '').split(':').filter(Boolean);
}

/** Whether an npm script started this process and is its parent. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}
