import { deviceStorage } from '../storage.ts';
import type { BrowserWallet } from './browser-wallet.ts';
import { hasEthereumWallet, injectedWallets } from './injected-wallets.ts';
import { standardWallets, watchStandardWallets } from './standard-wallets.ts';

const WALLET_KEY = 'wallet';

/** Every wallet of this browser, once: one that announces itself is not listed again as an injected one. */
export function listWallets(): readonly BrowserWallet[] {
  const standard = standardWallets();
  const names = new Set(standard.map(({ name }) => name.toLowerCase()));
  const others = injectedWallets().filter(({ name }) => !names.has(name.toLowerCase()));
  // The generic provider of a browser that has others is one of them under its old name.
  const generic = ({ name }: BrowserWallet) => name === 'Solana wallet' && names.size > 0;
  return [...standard, ...others.filter((wallet) => !generic(wallet))];
}

export const watchWallets = watchStandardWallets;

/** A browser with nothing but a wallet for Ethereum: it is refused without being asked anything. */
export function isEthereumOnly(wallets: readonly BrowserWallet[]): boolean {
  return wallets.length === 0 && hasEthereumWallet();
}

/** Remembers which wallet signed in, so that a reload finds it again. */
export function keepWallet({ name }: BrowserWallet): void {
  deviceStorage.set(WALLET_KEY, name);
}

/** The wallet that signed in, connected or not; null when it is gone from the browser. */
export function keptWallet(): BrowserWallet | null {
  const name = deviceStorage.get(WALLET_KEY);
  return listWallets().find((wallet) => wallet.name === name) ?? null;
}

export function forgetWallet(): void {
  deviceStorage.remove(WALLET_KEY);
}
