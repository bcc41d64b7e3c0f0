import type { BrowserWallet } from './browser-wallet.ts';

interface PublicKey {
  toString(): string;
}

/** Providers that wallets inject into `window`, older than Wallet Standard; all four have the same methods. */
interface Provider {
  readonly isPhantom?: boolean;
  readonly isSolflare?: boolean;
  readonly publicKey?: PublicKey | null;
  connect(options?: {
    onlyIfTrusted: boolean;
  }): Promise<{ publicKey?: PublicKey } | boolean | undefined>;
  disconnect?(): Promise<void>;
  signMessage(
    message: Uint8Array,
    display?: 'utf8',
  ): Promise<{ signature: Uint8Array } | Uint8Array>;
  signTransaction?(transaction: unknown): Promise<{ serialize(): Uint8Array }>;
  on?(event: 'accountChanged', listener: (key: PublicKey | null) => void): void;
  removeListener?(event: 'accountChanged', listener: (key: PublicKey | null) => void): void;
}

interface Injected {
  readonly phantom?: { readonly solana?: Provider };
  readonly solflare?: Provider;
  readonly okxwallet?: { readonly solana?: Provider };
  readonly solana?: Provider;
  readonly ethereum?: unknown;
}

/** The four kinds of the specification, in its order; a provider under two names counts once. */
export function injectedWallets(
  scope: Injected = globalThis as unknown as Injected,
): readonly BrowserWallet[] {
  const generic = scope.solana;
  const found: readonly (readonly [string, Provider | undefined])[] = [
    ['Phantom', scope.phantom?.solana ?? (generic?.isPhantom ? generic : undefined)],
    ['Solflare', scope.solflare ?? (generic?.isSolflare ? generic : undefined)],
    ['OKX Wallet', scope.okxwallet?.solana],
    ['Solana wallet', generic],
  ];
  const seen = new Set<Provider>();
  return found.flatMap(([name, provider]) => {
    if (!isProvider(provider) || seen.has(provider)) return [];
    seen.add(provider);
    return [adapt(name, provider)];
  });
}

/** Whether the browser has an Ethereum wallet; alone it cannot be used here. */
export function hasEthereumWallet(scope: Injected = globalThis as unknown as Injected): boolean {
  return typeof scope.ethereum === 'object' && scope.ethereum !== null;
}

function adapt(name: string, provider: Provider): BrowserWallet {
  return {
    name,
    icon: null,
    async connect(options) {
      const response = await provider.connect(
        options?.silent ? { onlyIfTrusted: true } : undefined,
      );
      const key = typeof response === 'object' ? response.publicKey : undefined;
      return String(key ?? provider.publicKey ?? '');
    },
    async signMessage(message) {
      const response = await provider.signMessage(message, 'utf8');
      return Uint8Array.from('signature' in response ? response.signature : response);
    },
    signIn: null,
    signTransaction:
      provider.signTransaction === undefined
        ? null
        : async (bytes) => {
            const { readTransaction } = await import('./chain.ts');
            const signed = await provider.signTransaction?.(readTransaction(bytes));
            if (!signed) throw new Error('the wallet returned no transaction');
            return Uint8Array.from(signed.serialize());
          },
    async disconnect() {
      await provider.disconnect?.();
    },
    watch(listener) {
      const onChange = (key: PublicKey | null) => listener(key ? String(key) : null);
      provider.on?.('accountChanged', onChange);
      return () => provider.removeListener?.('accountChanged', onChange);
    },
  };
}

function isProvider(value: unknown): value is Provider {
  return (
    typeof value === 'object' &&
    value !== null &&
    'connect' in value &&
    typeof value.connect === 'function' &&
    'signMessage' in value &&
    typeof value.signMessage === 'function'
  );
}
