/**
 * Every setting of every process: the only reader of the environment. A wrong or missing setting ends the start
 * with all faults at once, so that nobody mends them one restart at a time.
 */
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
  folder,
  fourTextsOrLive,
  integer,
  names,
  networks,
  secret,
  text,
  url,
} from './parsers.ts';
import { FILE_SUFFIX, type Setting, secretSetting, setting, textOf } from './setting.ts';
import { testSettings } from './test-settings.ts';

export const SETTINGS = {
  port: setting(
    'PORT',
    '8080',
    integer(0, 65_535, 'a TCP port'),
    'port of the player site, API and /ws; 0 takes any',
  ),
  host: setting('HOST', '127.0.0.1', text, 'address to listen on; 0.0.0.0 opens it to the network'),
  ...adminSettings,
  statusPort: setting(
    'STATUS_PORT',
    '0',
    integer(0, 65_535, 'a TCP port'),
    'port of /live, /ready and /metrics of this process, for people of the house; 0 takes any',
  ),
  statusHost: setting(
    'STATUS_HOST',
    '127.0.0.1',
    text,
    'address of that port; never one that players can reach',
  ),
  dataDir: setting(
    'DATA_DIR',
    '.reelbook',
    folder,
    'folder of the standalone: database, keys, lock',
  ),
  databaseUrl: secretSetting(
    'DATABASE_URL',
    url('postgres', 'postgresql'),
    'Postgres 15 or newer that holds the ledger',
  ),
  natsUrl: secretSetting(
    'NATS_URL',
    url('nats', 'tls', 'ws', 'wss'),
    'NATS with JetStream, the bus',
  ),
  solanaRpcUrl: secretSetting(
    'SOLANA_RPC_URL',
    rpcUrls,
    'Solana RPCs by comma, best first; set, they replace the local chain (and its welcome points)',
  ),
  publicRpcUrl: setting(
    'PUBLIC_RPC_URL',
    null,
    url('http', 'https'),
    'Solana RPC that browsers ask; never one with a key of yours',
  ),
  solanaNetwork: setting(
    'SOLANA_NETWORK',
    'mainnet-beta',
    choice('mainnet-beta', 'devnet', 'testnet', 'localnet'),
    'name of the network behind SOLANA_RPC_URL, as wallets show it',
  ),
  playMoney: setting(
    'PLAY_MONEY',
    'no',
    choice('yes', 'no'),
    'yes: a gateway without SOLANA_RPC_URL serves a ledger whose points are worth nothing, with welcome points',
  ),
  tokenMint: setting('TOKEN_MINT', null, address, 'address of the mint of BSM'),
  tokenAllow: setting(
    'TOKEN_ALLOW',
    null,
    powers,
    'powers over the mint that are accepted all the same: permanent-delegate, transfer-hook',
  ),
  treasuryWallet: setting(
    'TREASURY_WALLET',
    null,
    address,
    'address that deposits go to; none: that of the treasury key',
  ),
  treasuryKey: secretSetting(
    'TREASURY_KEY',
    signingKey,
    'key that withdrawals are paid with; for the cashier alone',
  ),
  treasuryWallets: setting(
    'TREASURY_WALLETS',
    null,
    treasuryWallets,
    'for the audit: every wallet that the treasury has or had; `@slot` where it was used before this ledger; none: TREASURY_WALLET, or that of the standalone',
  ),
  treasuryTransfers: setting(
    'TREASURY_TRANSFERS',
    null,
    signatures,
    'for the audit: transfers that the treasury signed outside of this program, as to a cold wallet, and the operators answer for',
  ),
  localChainPort: setting(
    'LOCAL_CHAIN_PORT',
    '0',
    integer(0, 65_535, 'a TCP port'),
    'port of the local chain, for tools; 0 takes any',
  ),
  localChainKeys: secretSetting(
    'LOCAL_CHAIN_KEYS',
    text,
    'keys of the local chain as `npm run reelbook -- keys` makes them; none: made at its first start',
  ),
  localConfirmMs: setting(
    'LOCAL_CONFIRM_MS',
    '400',
    integer(1, 60_000, 'milliseconds'),
    'how long the local chain takes to confirm',
  ),
  localFinalizeMs: setting(
    'LOCAL_FINALIZE_MS',
    '2000',
    integer(1, 60_000, 'milliseconds'),
    'how long it takes to be final; about 13000 on a real chain',
  ),
  gameTickMs: setting(
    'GAME_TICK_MS',
    '1000',
    integer(1, 60_000, 'milliseconds'),
    'how long a tick of a game lasts; another than 1000 is for the local chain only',
  ),
  seedKey: secretSetting('SEED_KEY', secret, 'key that server seeds are encrypted with at rest'),
  seedKeyId: setting(
    'SEED_KEY_ID',
    null,
    text,
    'name of SEED_KEY, kept with each seed; none: a fingerprint of the key',
  ),
  sessionKey: secretSetting('SESSION_KEY', secret, 'key that session tokens are hashed with'),
  receiptKey: secretSetting(
    'RECEIPT_KEY',
    secret,
    'secret ed25519 key that receipts of rounds and manifests of exports are signed with',
  ),
  sealEveryEvents: setting(
    'SEAL_EVERY_EVENTS',
    '4096',
    integer(16, 16_384, 'events'),
    'events after which the auditor seals the ledger',
  ),
  sealEveryMinutes: setting(
    'SEAL_EVERY_MINUTES',
    '10',
    integer(1, 1_440, 'minutes'),
    'minutes after which the auditor seals what is not sealed yet',
  ),
  anchorEveryMinutes: setting(
    'ANCHOR_EVERY_MINUTES',
    '10',
    integer(0, 10_080, 'minutes'),
    'least minutes between two memos of the treasury that anchor seals on the chain; 0: none',
  ),
  buildCommit: setting(
    'BUILD_COMMIT',
    null,
    text,
    'commit that this was built from, for `reelbook_build_info`; the image has it set',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    null,
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'least level that is logged: fatal, error, warn, info, debug, trace, silent',
  ),
  poolMax: setting(
    'POOL_MAX',
    '10',
    integer(2, 200, 'connections'),
    'most connections of a process to Postgres',
  ),
  projections: setting(
    'PROJECTIONS',
    null,
    names,
    'projections this projector works on, by comma; none: all',
  ),
  webRoot: setting(
    'WEB_ROOT',
    null,
    folder,
    'folder of the built player app that the gateway serves',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    null,
    networks,
    'proxies whose X-Forwarded-For names the client, for the limits by address; none: the header is ignored',
  ),
  homeFigures: setting(
    'HOME_FIGURES',
    '10K+,1M+,24/7,99.9%',
    fourTextsOrLive,
    'the four figures of the home page: players, distributed, availability and uptime as texts; "live" counts in the ledger',
  ),
  ...testSettings,
} as const;

type Table = typeof SETTINGS;
export type SettingName = keyof Table;
type Value<K extends SettingName> = ReturnType<Table[K]['parse']>;
type Defaulted =
  | 'port'
  | 'host'
  | 'statusPort'
  | 'statusHost'
  | 'dataDir'
  | 'sealEveryEvents'
  | 'sealEveryMinutes'
  | 'anchorEveryMinutes'
  | 'poolMax'
  | 'homeFigures'
  | 'gameTickMs'
  | 'testContainers'
  | 'testOutageS'
  | 'testSeed'
  | 'testLag'
  | 'solanaNetwork'
  | 'playMoney'
  | 'localChainPort'
  | 'localConfirmMs'
  | 'localFinalizeMs';

/** Settings without a default are null where they are not set, unless the reader required them. */
export type Settings<Required extends SettingName = never> = {
  readonly [K in SettingName]: K extends Defaulted ? Value<K> : Value<K> | null;
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
 * Reads all settings; the `required` ones must be set. An empty text counts as not set.
 * Throws SettingsError with every fault.
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
        const lack = fromFile ? `${one.env}${fromFile} is an empty file` : `${one.env} must be set`;
        faults.push(`${lack}: ${one.meaning}`);
      }
    } catch (error) {
      faulty.add(name);
      const fault = error instanceof Error ? error.message : String(error);
      faults.push(`${one.env}${fromFile} ${fault}`);
    }
  }
  // Of settings that are faulty by themselves nothing can be said together with others.
  for (const { of, text: fault } of chainFaults(values as unknown as ChainTexts)) {
    if (!of.some((name) => faulty.has(name))) faults.push(fault);
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return values as Settings<R>;
}

/** Colours and pretty logs are for people: true where standard output is a terminal. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** The folders in which programs are looked for. */
export function programPath(): readonly string[] {
  return (process.env.PATH ?? '').split(':').filter(Boolean);
}

/** Whether an npm script started this process, and is its parent for as long as it runs. */
export function isRunByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}
