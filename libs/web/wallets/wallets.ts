import {
  SolanaSignIn,
  type SolanaSignInFeature,
  SolanaSignMessage,
  type SolanaSignMessageFeature,
  SolanaSignTransaction,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardDisconnect,
  type StandardDisconnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features';
import { deviceStorage } from '../storage.ts';
import { type BrowserWallet, WalletError } from './browser-wallet.ts';
import { hasEthereumWallet, injectedWallets } from './injected-wallets.ts';

const SOLANA_CHAIN = /^solana:/;

type Standard = Wallet & { readonly features: StandardConnectFeature & SolanaSignMessageFeature };
type Optional = Partial<
  StandardDisconnectFeature &
    StandardEventsFeature &
    SolanaSignInFeature &
    SolanaSignTransactionFeature
>;

/** The wallets registered through Wallet Standard that can sign a message on Solana. */
export function standardWallets(): readonly BrowserWallet[] {
  return getWallets()
    .get()
    .filter((wallet) => isSigning(wallet))
    .map((wallet) => adapted(wallet));
}

/** Calls back when a wallet is registered or unregistered; @returns the unsubscribe function. */
export function watchWallets(listener: () => void): () => void {
  const wallets = getWallets();
  const stops = [wallets.on('register', listener), wallets.on('unregister', listener)];
  return () => {
    for (const stop of stops) stop();
  };
}

const adaptedBefore = new WeakMap<Wallet, BrowserWallet>();

/** One adapter per wallet, so that it keeps the connected account. */
function adapted(wallet: Standard): BrowserWallet {
  const known = adaptedBefore.get(wallet);
  if (known) return known;
  const fresh = adapt(wallet);
  adaptedBefore.set(wallet, fresh);
  return fresh;
}

function adapt(wallet: Standard): BrowserWallet {
  const optional = wallet.features as Optional;
  let account: WalletAccount | undefined;
  const signs = optional[SolanaSignTransaction];
  const signsIn = optional[SolanaSignIn];
  return {
    name: wallet.name,
    icon: wallet.icon,
    async connect(options) {
      const { accounts } = await wallet.features[StandardConnect].connect(options);
      account = accounts.find(isSolana);
      return account?.address ?? '';
    },
    async signMessage(message) {
      if (!account) throw new WalletError('notConnected');
      const { signMessage } = wallet.features[SolanaSignMessage];
      const [signed] = await signMessage({ account, message });
      if (!signed) throw new Error('the wallet returned no signature');
      return Uint8Array.from(signed.signature);
    },
    signIn:
      signsIn === undefined
        ? null
        : async (input) => {
            const [signed] = await signsIn.signIn(input);
            if (!signed) throw new Error('the wallet returned no signature');
            account = signed.account;
            return {
              address: signed.account.address,
              message: Uint8Array.from(signed.signedMessage),
              signature: Uint8Array.from(signed.signature),
            };
          },
    signTransaction:
      signs === undefined
        ? null
        : async (transaction) => {
            if (!account) throw new WalletError('notConnected');
            const [signed] = await signs.signTransaction({ account, transaction });
            if (!signed) throw new Error('the wallet returned no transaction');
            return Uint8Array.from(signed.signedTransaction);
          },
    async disconnect() {
      account = undefined;
      await optional[StandardDisconnect]?.disconnect();
    },
    watch(listener) {
      const stop = optional[StandardEvents]?.on('change', ({ accounts }) => {
        if (accounts) listener(accounts.find(isSolana)?.address ?? null);
      });
      return stop ?? (() => undefined);
    },
  };
}

const isSolana = ({ chains }: WalletAccount) => chains.some((chain) => SOLANA_CHAIN.test(chain));

function isSigning(wallet: Wallet): wallet is Standard {
  return (
    StandardConnect in wallet.features &&
    SolanaSignMessage in wallet.features &&
    wallet.chains.some((chain) => SOLANA_CHAIN.test(chain))
  );
}

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
