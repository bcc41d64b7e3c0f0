import bs58 from 'bs58';
import type { BrowserContext, Page } from 'playwright-core';
import nacl from 'tweetnacl';

export const TEST_WALLET = 'Test Wallet';

/** Behaviour of the wallet on a request. */
export interface Behaviour {
  connect?: 'ok' | 'reject' | 'fail' | 'no-account' | 'other-account' | 'never';
  sign?: 'ok' | 'reject' | 'fail' | 'no-funds' | 'never';
}

export interface TestWallet {
  readonly address: string;
  behave(page: Page, behaviour: Behaviour): Promise<void>;
  /** Shows another account, as after a switch in the wallet. */
  switchAccount(page: Page, address: string): Promise<void>;
  /** Removes the wallet from this page, as a disabled extension. */
  leave(page: Page): Promise<void>;
}

/**
 * A wallet with its own key, which every page of the context finds through Wallet Standard as it would find a real one.
 * The key stays outside the browser. With `signIn` it has Sign-In With Solana and checks the domain.
 */
export async function installWallet(
  context: BrowserContext,
  { signIn = false }: { readonly signIn?: boolean } = {},
): Promise<TestWallet> {
  const keys = nacl.sign.keyPair();
  const address = bs58.encode(keys.publicKey);
  await context.exposeFunction('testWalletSign', (message: number[]) =>
    Array.from(nacl.sign.detached(Uint8Array.from(message), keys.secretKey)),
  );
  const key = [...keys.publicKey];
  await context.addInitScript(announce, { name: TEST_WALLET, address, key, signIn });
  return {
    address,
    behave: (page, behaviour) =>
      page.evaluate((m) => {
        Object.assign((window as unknown as InPage).testWallet, m);
      }, behaviour),
    switchAccount: (page, other) =>
      page.evaluate((to) => (window as unknown as InPage).testWallet.show(to), other),
    leave: (page) => page.evaluate(() => (window as unknown as InPage).testWallet.leave()),
  };
}

/** The address of a wallet that is on no page. */
export const newAddress = () => bs58.encode(nacl.sign.keyPair().publicKey);

interface InPage {
  testWallet: Behaviour & { show(address: string): void; leave(): void };
  testWalletSign(message: number[]): Promise<number[]>;
}

/** Runs in the page before its own scripts. */
function announce(own: { name: string; address: string; key: number[]; signIn: boolean }): void {
  const page = window as unknown as InPage;
  type Change = (change: { accounts: unknown[] }) => void;
  const listeners = new Set<Change>();
  const registered: (() => void)[] = [];
  const OTHER = 'So11111111111111111111111111111111111111112';
  const accountOf = (address: string) => ({
    address,
    publicKey: Uint8Array.from(own.key),
    chains: ['solana:localnet'],
    features: ['solana:signMessage', 'solana:signTransaction', ...Object.keys(signsIn)],
  });
  const refuse = (how: string | undefined) => {
    if (how === 'reject')
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    if (how === 'fail') throw new Error('the wallet has crashed');
    if (how === 'no-funds') throw new Error('Insufficient funds for the fee of this transaction.');
  };
  page.testWallet = {
    show: (address) => {
      for (const listener of listeners) listener({ accounts: [accountOf(address)] });
    },
    leave: () => {
      for (const unregister of registered) unregister();
    },
  };
  const signed = async (bytes: Uint8Array) => {
    refuse(page.testWallet.sign);
    if (page.testWallet.sign === 'never') await new Promise(() => {});
    return Uint8Array.from(await page.testWalletSign([...bytes]));
  };
  type Input = Readonly<Record<string, string>>;
  const signIn = async (input: Input) => {
    if (input.domain !== location.host) throw new Error(`${input.domain} is not this page`);
    const text = [
      `${input.domain} wants you to sign in with your Solana account:\n${own.address}`,
      input.statement,
      `URI: ${input.uri}\nVersion: ${input.version}\nNonce: ${input.nonce}\nIssued At: ${input.issuedAt}`,
    ].join('\n\n');
    const signedMessage = new TextEncoder().encode(text);
    const signature = await signed(signedMessage);
    return [{ account: accountOf(own.address), signedMessage, signature }];
  };
  const signsIn = own.signIn ? { 'solana:signIn': { version: '1.0.0', signIn } } : {};
  const wallet = {
    version: '1.0.0',
    name: own.name,
    icon: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    chains: ['solana:localnet'],
    accounts: [],
    features: {
      ...signsIn,
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          refuse(page.testWallet.connect);
          const how = page.testWallet.connect;
          if (how === 'never') await new Promise(() => {});
          if (how === 'no-account') return { accounts: [] };
          return { accounts: [accountOf(how === 'other-account' ? OTHER : own.address)] };
        },
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: Change) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      'solana:signMessage': {
        version: '1.1.0',
        signMessage: async ({ message }: { message: Uint8Array }) => [
          { signedMessage: message, signature: await signed(message) },
        ],
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          // One signature of 64 bytes lies between the count and the message.
          const signature = await signed(transaction.slice(65));
          const bytes = Uint8Array.from(transaction);
          bytes.set(signature, 1);
          return [{ signedTransaction: bytes }];
        },
      },
    },
  };
  const register = (api: { register(one: unknown): () => void }) => {
    registered.push(api.register(wallet));
  };
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent).detail),
  );
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
}
