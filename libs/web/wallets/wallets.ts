import { deviceStorage } from '../storage.ts';
import type { BrowserWallet } from './browser-wallet.ts';
import { hasEthereumWallet, injectedWallets } from './injected-wallets.ts';
import { standardWallets, watchStandardWallets } from './standard-wallets.ts';

const WALLET_KEY = 'wallet';

/** Every wallet of this browser, once: a registered one is not listed again as an injected one. */
export function listWallets(): readonly BrowserWallet[] {
  const standard = standardWallets();
  const names = new Set(standard.map(({ name }) => name.toLowerCase()));
  const others = injectedWallets().filter(({ name }) => !names.has(name.toLowerCase()));
  // In a browser with other wallets, the generic provider is one of them under its old name.
  const generic = ({ name }: BrowserWallet) => name === 'Solana wallet' && names.size > 0;
  return [...standard, ...others.filter((wallet) => !generic(wallet))];
}

export const watchWallets = watchStandardWallets;

/** A browser with only an Ethereum wallet: refused without a request to it. */
export function isEthereumOnly(wallets: readonly BrowserWallet[]): boolean {
  return wallets.length === 0 && hasEthereumWallet();
}

/** Stores which wallet signed in, so that a reload finds it again. */
export function keepWallet({ name }: BrowserWallet): void {
  deviceStorage.set(WALLET_KEY, name);
}

/** The wallet that signed in, connected or not; null when the browser no longer has it. */
export function keptWallet(): BrowserWallet | null {
  const name = deviceStorage.get(WALLET_KEY);
  return listWallets().find((wallet) => wallet.name === name) ?? null;
}

export function forgetWallet(): void {
  deviceStorage.remove(WALLET_KEY);
}
