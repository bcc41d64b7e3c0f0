/** Parsers and joint checks of the settings of the chain. Only `settings.ts` reads the environment. */
import bs58 from 'bs58';
import { type Parser, parser } from './setting.ts';

const ADDRESS_BYTES = 32;
const KEY_BYTES = 64;
const RPC_URLS_MAX = 8;

/** Powers over the mint that TOKEN_ALLOW may name; see `@reelbook/solana/mint`. */
const POWERS = ['permanent-delegate', 'transfer-hook'] as const;
export type AllowedPower = (typeof POWERS)[number];

/** Comma-separated RPC URLs in order of preference. They may contain API keys: no message repeats one. */
export const rpcUrls: Parser<readonly string[]> = parser(
  `1 to ${RPC_URLS_MAX} URLs, comma-separated: http:// or https://`,
  readUrls,
);

function readUrls(value: string): readonly string[] {
  const urls = value.split(',').map((one) => one.trim());
  if (urls.length > RPC_URLS_MAX) throw new Error(`must have at most ${RPC_URLS_MAX} URLs`);
  for (const url of urls) {
    if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
      throw new Error('must be comma-separated URLs that start with http:// or https://');
    }
  }
  if (new Set(urls).size < urls.length) throw new Error('must not repeat a URL');
  return urls;
}

export const address: Parser<string> = parser(`${ADDRESS_BYTES} bytes in base58`, (value) => {
  if (bs58.decodeUnsafe(value)?.length !== ADDRESS_BYTES) {
    throw new Error(`must be an address: ${ADDRESS_BYTES} bytes in base58, not "${value}"`);
  }
  return value;
});

const WALLETS_MAX = 100;
const TRANSFERS_MAX = 10_000;
const SIGNATURE_BYTES = 64;
/** Separated by commas, or by lines as in a file. */
const entriesOf = (value: string) => value.split(/[\s,]+/).filter((entry) => entry !== '');

/** A wallet of the treasury; the audit ignores what it signed before `fromSlot`. */
export interface TreasuryWallet {
  readonly wallet: string;
  readonly fromSlot: number | null;
}

export const treasuryWallets: Parser<readonly TreasuryWallet[]> = parser(
  `1 to ${WALLETS_MAX} addresses, each with @slot or without, by comma or line`,
  (value) => {
    const entries = entriesOf(value);
    if (entries.length > WALLETS_MAX) throw new Error(`must have at most ${WALLETS_MAX} wallets`);
    return entries.map((entry) => {
      const [, text = '', slot] = /^([^@]*)(?:@(\d{1,15}))?$/.exec(entry) ?? [];
      return { wallet: address.parse(text), fromSlot: slot === undefined ? null : Number(slot) };
    });
  },
);

export const signatures: Parser<readonly string[]> = parser(
  `up to ${TRANSFERS_MAX} signatures in base58 by comma or line`,
  (value) => {
    const entries = entriesOf(value);
    if (entries.length > TRANSFERS_MAX) {
      throw new Error(`must have at most ${TRANSFERS_MAX} signatures`);
    }
    for (const entry of entries) {
      if (bs58.decodeUnsafe(entry)?.length === SIGNATURE_BYTES) continue;
      throw new Error(`must be signatures of ${SIGNATURE_BYTES} bytes in base58, not "${entry}"`);
    }
    return entries;
  },
);

/** A key as wallets export it (base58) or as solana-keygen writes it (a JSON list of 64 bytes). No message repeats it. */
export const signingKey: Parser<Buffer> = parser(
  `${KEY_BYTES} bytes in base58, or a JSON list of them`,
  (value) => {
    const bytes = value.startsWith('[') ? bytesOf(value) : bs58.decodeUnsafe(value);
    if (bytes?.length !== KEY_BYTES) {
      throw new Error(`must be ${KEY_BYTES} bytes in base58, or a JSON list of them`);
    }
    return Buffer.from(bytes);
  },
);

export const powers: Parser<readonly AllowedPower[]> = parser(
  `any of ${POWERS.join(', ')}, comma-separated`,
  (value) =>
    value.split(',').map((name) => {
      const power = POWERS.find((one) => one === name.trim());
      if (!power) throw new Error(`must be any of ${POWERS.join(', ')}, comma-separated`);
      return power;
    }),
);

function bytesOf(json: string): Uint8Array | undefined {
  try {
    const list = JSON.parse(json) as unknown;
    const isByte = (one: unknown) => Number.isInteger(one) && one === (one as number) % 256;
    return Array.isArray(list) && list.every(isByte) ? Uint8Array.from(list) : undefined;
  } catch {
    return undefined;
  }
}

/** The settings of an external chain. */
export interface ChainSettings {
  readonly urls: readonly string[];
  readonly mint: string;
  /** The treasury's address. */
  readonly wallet: string;
  readonly allow: readonly AllowedPower[];
  /** The RPC of browsers; null: none, deposits are sent manually. */
  readonly publicRpcUrl: string | null;
  readonly network: string;
}

export interface ChainTexts {
  readonly solanaRpcUrl: readonly string[] | null;
  readonly publicRpcUrl: string | null;
  readonly tokenMint: string | null;
  readonly tokenAllow: readonly AllowedPower[] | null;
  readonly treasuryWallet: string | null;
  readonly treasuryKey: Buffer | null;
  readonly solanaNetwork: string;
}

/** The external chain, or null if none is set: the standalone then starts a local one. */
export function chainOf(settings: ChainTexts): ChainSettings | null {
  const { solanaRpcUrl: urls, tokenMint: mint } = settings;
  const wallet = treasuryAddress(settings);
  if (urls === null || mint === null || wallet === null) return null;
  return {
    urls,
    mint,
    wallet,
    allow: settings.tokenAllow ?? [],
    publicRpcUrl: settings.publicRpcUrl,
    network: settings.solanaNetwork,
  };
}

export function treasuryAddress(
  settings: Pick<ChainTexts, 'treasuryWallet' | 'treasuryKey'>,
): string | null {
  const { treasuryWallet, treasuryKey: key } = settings;
  return treasuryWallet ?? (key && publicHalf(key));
}

const publicHalf = (key: Buffer) => bs58.encode(key.subarray(KEY_BYTES - ADDRESS_BYTES));

/** Providers put API keys in the path or the query; the address of a public RPC has neither. */
function mayContainKey(text: string): boolean {
  const { pathname, search, username } = new URL(text);
  return pathname !== '/' || search !== '' || username !== '';
}

/** A fault of a combination of settings. */
export interface JointFault {
  readonly of: readonly (keyof ChainTexts)[];
  readonly text: string;
}

/** Faults of combinations of the chain's settings. */
export function chainFaults(settings: ChainTexts): readonly JointFault[] {
  const faults: JointFault[] = [];
  const { treasuryKey, treasuryWallet, solanaRpcUrl: urls, publicRpcUrl: shown } = settings;
  const add = (of: JointFault['of'], text: string) => void faults.push({ of, text });
  if (treasuryKey && treasuryWallet && publicHalf(treasuryKey) !== treasuryWallet) {
    const text = 'TREASURY_WALLET is not the address of TREASURY_KEY';
    add(['treasuryWallet', 'treasuryKey'], text);
  }
  if (urls === null) {
    const idle = [
      ['tokenMint', 'TOKEN_MINT'],
      ['tokenAllow', 'TOKEN_ALLOW'],
      ['treasuryWallet', 'TREASURY_WALLET'],
      ['treasuryKey', 'TREASURY_KEY'],
      ['publicRpcUrl', 'PUBLIC_RPC_URL'],
    ] as const;
    for (const [name, env] of idle) {
      if (settings[name] !== null) {
        add([name, 'solanaRpcUrl'], `${env} is set without SOLANA_RPC_URL`);
      }
    }
    return faults;
  }
  if (settings.tokenMint === null) {
    add(['tokenMint', 'solanaRpcUrl'], 'TOKEN_MINT must be set with SOLANA_RPC_URL');
  }
  if (treasuryAddress(settings) === null) {
    const text = 'TREASURY_WALLET or TREASURY_KEY must be set with SOLANA_RPC_URL';
    add(['treasuryWallet', 'treasuryKey', 'solanaRpcUrl'], text);
  }
  if (shown && urls.includes(shown) && mayContainKey(shown)) {
    const text =
      'PUBLIC_RPC_URL is one of SOLANA_RPC_URL: browsers would receive its API key; use another URL';
    add(['publicRpcUrl', 'solanaRpcUrl'], text);
  }
  return faults;
}
