import { type SignInInput, signInText } from '@reelbook/contract/login';
import {
  SolanaSignIn,
  type SolanaSignInInput,
  SolanaSignMessage,
  type SolanaSignMessageInput,
  SolanaSignTransaction,
  type SolanaSignTransactionInput,
} from '@solana/wallet-standard-features';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { StandardConnect, StandardDisconnect, StandardEvents } from '@wallet-standard/features';
import { registerWallet } from '@wallet-standard/wallet';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { deviceStorage } from '../storage.ts';

const KEY = 'development_wallet_seed';
const SEED_BYTES = 32;
const CHAIN = 'solana:localnet';
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyOCAyOCI+PHJlY3Qgd2lkdGg9IjI4IiBoZWlnaHQ9IjI4IiByeD0iNyIgZmlsbD0iIzM2NDA1MiIvPjxwYXRoIGQ9Im0xMCA5LTUgNSA1IDVNMTggOWw1IDUtNSA1TTE2IDdsLTQgMTQiIGZpbGw9Im5vbmUiIHN0cm9rZT0iI2U5YjQ0YyIgc3Ryb2tlLXdpZHRoPSIyIiBzdHJva2UtbGluZWNhcD0icm91bmQiLz48L3N2Zz4=';

export const DEVELOPMENT_WALLET_NAME = 'Development wallet';

let registered = false;

/**
 * Registers a wallet of this browser through Wallet Standard, like a real one. Its key is unprotected in the browser's
 * storage, so it must only be registered on a local chain.
 */
export function registerDevelopmentWallet(): void {
  if (registered) return;
  registered = true;
  registerWallet(createDevelopmentWallet());
}

/** Deletes the key: the next connection is a new player. */
export function forgetDevelopmentKey(): void {
  deviceStorage.remove(KEY);
}

function createDevelopmentWallet(): Wallet {
  const listeners = new Set<(change: { accounts: readonly WalletAccount[] }) => void>();
  let accounts: readonly WalletAccount[] = [];

  function show(next: readonly WalletAccount[]): void {
    accounts = next;
    for (const listener of listeners) listener({ accounts });
  }

  return {
    version: '1.0.0',
    name: DEVELOPMENT_WALLET_NAME,
    icon: ICON,
    chains: [CHAIN],
    get accounts() {
      return accounts;
    },
    features: {
      [StandardConnect]: {
        version: '1.0.0',
        connect: async () => {
          show([accountOf(readKeyPair().publicKey)]);
          return { accounts };
        },
      },
      [StandardDisconnect]: { version: '1.0.0', disconnect: async () => show([]) },
      [StandardEvents]: {
        version: '1.0.0',
        on: (
          _event: 'change',
          listener: (change: { accounts: readonly WalletAccount[] }) => void,
        ) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      [SolanaSignIn]: {
        version: '1.0.0',
        signIn: async (...inputs: readonly SolanaSignInInput[]) =>
          inputs.map((input) => {
            const { publicKey, secretKey } = readKeyPair();
            const account = accountOf(publicKey);
            if (input.domain !== location.host) throw new Error('the domain is not of this page');
            show([account]);
            const text = signInText(account.address, input as SignInInput);
            const signedMessage = new TextEncoder().encode(text);
            return {
              account,
              signedMessage,
              signature: nacl.sign.detached(signedMessage, secretKey),
            };
          }),
      },
      [SolanaSignMessage]: {
        version: '1.1.0',
        signMessage: async (...inputs: readonly SolanaSignMessageInput[]) =>
          inputs.map(({ message }) => ({
            signedMessage: message,
            signature: nacl.sign.detached(message, readKeyPair().secretKey),
          })),
      },
      [SolanaSignTransaction]: {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async (...inputs: readonly SolanaSignTransactionInput[]) => {
          const { signSerialized } = await import('./chain.ts');
          return inputs.map(({ transaction }) => ({
            signedTransaction: signSerialized(transaction, readKeyPair().secretKey),
          }));
        },
      },
    },
  };
}

function accountOf(publicKey: Uint8Array): WalletAccount {
  return Object.freeze({
    address: bs58.encode(publicKey),
    publicKey,
    chains: [CHAIN] as const,
    features: [SolanaSignIn, SolanaSignMessage, SolanaSignTransaction] as const,
  });
}

function readKeyPair(): nacl.SignKeyPair {
  const kept = deviceStorage.get(KEY);
  const seed = kept ? bs58.decodeUnsafe(kept) : undefined;
  if (seed?.length === SEED_BYTES) return nacl.sign.keyPair.fromSeed(seed);
  const fresh = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  deviceStorage.set(KEY, bs58.encode(fresh));
  return nacl.sign.keyPair.fromSeed(fresh);
}
