// @vitest-environment happy-dom
import { SolanaSignMessage } from '@solana/wallet-standard-features';
import { StandardConnect, StandardEvents } from '@wallet-standard/features';
import { registerWallet } from '@wallet-standard/wallet';
import { expect, test, vi } from 'vitest';
import { type BrowserWallet, connect, connectAndSign, WalletError } from './browser-wallet.ts';
import { hasEthereumWallet, injectedWallets } from './injected-wallets.ts';
import { standardWallets } from './wallets.ts';

const account = (address: string, chain: `${string}:${string}` = 'solana:mainnet') => ({
  address,
  publicKey: new Uint8Array(32),
  chains: [chain] as const,
  features: [SolanaSignMessage] as const,
});

/** A wallet registered through Wallet Standard, with parts to break. */
function standard(name: string, parts: { connect?: unknown; signMessage?: unknown; on?: unknown }) {
  registerWallet({
    version: '1.0.0',
    name,
    icon: 'data:image/png;base64,AA==',
    chains: ['solana:mainnet'],
    accounts: [],
    features: {
      [StandardConnect]: {
        version: '1.0.0',
        connect: parts.connect ?? (async () => ({ accounts: [account('anna')] })),
      },
      [StandardEvents]: { version: '1.0.0', on: parts.on ?? (() => () => undefined) },
      [SolanaSignMessage]: {
        version: '1.1.0',
        signMessage: parts.signMessage ?? (async () => [{ signature: new Uint8Array(64) }]),
      },
    },
  });
  const found = standardWallets().find((wallet) => wallet.name === name);
  if (!found) throw new Error(`${name} is not listed`);
  return found;
}

const keyOf = async (connecting: Promise<unknown>) => {
  const error = await connecting.then(
    () => null,
    (caught: unknown) => caught,
  );
  return error instanceof WalletError ? error.key : error;
};
const sign = (wallet: BrowserWallet) => keyOf(connectAndSign(wallet, 'x'));
const failing = (error: unknown) => () => Promise.reject(error);

test('each way in which a wallet refuses has its own message', async () => {
  expect(await sign(standard('a', { connect: failing({ code: 4001 }) }))).toBe('rejected');
  expect(await sign(standard('b', { connect: failing(new Error('locked')) }))).toBe(
    'connectFailed',
  );
  expect(await sign(standard('c', { signMessage: failing(new Error('User rejected')) }))).toBe(
    'rejected',
  );
  expect(await sign(standard('d', { signMessage: failing(new Error('boom')) }))).toBe('signFailed');
  expect(await sign(standard('e', { signMessage: async () => [] }))).toBe('signFailed');
  expect(await sign(standard('f', { connect: async () => ({ accounts: [] }) }))).toBe('noKey');
  const onEthereum = async () => ({ accounts: [account('0x1', 'eip155:1')] });
  expect(await sign(standard('g', { connect: onEthereum }))).toBe('noKey');
});

test('a wallet that shows another account reports it', () => {
  let change: (change: object) => void = () => undefined;
  const listener = vi.fn();
  standard('h', {
    on: (_event: string, listener: typeof change) => {
      change = listener;
      return () => undefined;
    },
  }).watch(listener);
  change({ accounts: [account('bert')] });
  change({ chains: [] });
  change({ accounts: [] });
  expect(listener.mock.calls).toEqual([['bert'], [null]]);
});

test('the four kinds on window, each once under its own name', async () => {
  const provider = (marks: object = {}) => ({
    connect: async () => ({ publicKey: { toString: () => 'carl' } }),
    signMessage: async () => ({ signature: new Uint8Array(64).fill(7) }),
    ...marks,
  });
  const names = (scope: object) => injectedWallets(scope).map(({ name }) => name);
  const phantom = provider({ isPhantom: true });
  expect(names({ phantom: { solana: phantom }, solana: phantom })).toEqual(['Phantom']);
  expect(names({ solana: phantom })).toEqual(['Phantom']);
  expect(names({ solflare: provider(), okxwallet: { solana: provider() } })).toEqual([
    'Solflare',
    'OKX Wallet',
  ]);
  expect(names({ solana: provider() })).toEqual(['Solana wallet']);
  expect(names({ solana: {}, solflare: null, phantom: 7 })).toEqual([]);
  const [generic] = injectedWallets({ solana: provider() });
  if (!generic) throw new Error('the generic provider is listed');
  expect((await connectAndSign(generic, 'x')).address).toBe('carl');
});

test('a provider without a key, or one with the key on itself', async () => {
  const solana = { connect: async () => true, signMessage: async () => new Uint8Array(64) };
  const of = (scope: object) => injectedWallets(scope)[0] as BrowserWallet;
  expect(await keyOf(connect(of({ solana })))).toBe('noKey');
  const kept = { ...solana, publicKey: { toString: () => 'dora' } };
  expect(await connect(of({ solana: kept }))).toBe('dora');
});

test('an Ethereum wallet alone is detected', () => {
  expect(hasEthereumWallet({ ethereum: { isMetaMask: true } })).toBe(true);
  expect(hasEthereumWallet({})).toBe(false);
});
