import { sendDeposit } from '@reelbook/solana/deposit';
import { createSigner, type Signer } from '@reelbook/solana/keys';
import type { LocalChain, LocalChainOptions } from '@reelbook/solana/local-chain/errors';
import { startLocalChain } from '@reelbook/solana/local-chain/start';
import { createMint, type LocalToken, mintTokens } from '@reelbook/solana/local-chain/token';
import { type Chain, openChain } from '@reelbook/solana/rpc';
import { signDeposit } from './deposit.ts';

/** A separate chain with a mint and a treasury. Blocks come by `advance` only, unless `clock` is `time`. */
export interface TestChain {
  readonly local: LocalChain;
  readonly token: LocalToken;
  /** Funded with 1,000,000 BSM and 10 SOL. */
  readonly treasury: Signer;
  /** On both nodes, for that treasury. */
  readonly chain: Chain;
  /** Another one, as a process of its own would open it. */
  open(urls?: readonly string[], timeoutMs?: number): Chain;
  /** Gives so much BSM and 1 SOL to a wallet, finally; a new one by default. A `TestWallet` is a Signer as well. */
  fund(amountMinor: bigint, signer?: Signer): Promise<Signer>;
  /** Sends a deposit from that wallet as the player app does. @returns its signature. */
  deposit(from: Signer, amountMinor: bigint): Promise<string>;
  /** All that is on the chain now becomes final. */
  finalize(): void;
  close(): Promise<void>;
}

const DECIMALS = 9;
const TREASURY_MINOR = 1_000_000n * 10n ** 9n;
const TREASURY_LAMPORTS = 10_000_000_000n;
const PLAYER_LAMPORTS = 1_000_000_000n;
/** Of a call of the chain. */
const TIMEOUT_MS = 60_000;

export async function startTestChain({
  feeBasisPoints,
  ...options
}: Partial<LocalChainOptions> & { readonly feeBasisPoints?: number } = {}): Promise<TestChain> {
  const local = await startLocalChain({ folder: null, clock: 'manual', ...options });
  const keys = { mint: createSigner(), authority: createSigner(), decimals: DECIMALS };
  const token = { ...keys, ...(feeBasisPoints === undefined ? {} : { feeBasisPoints }) };
  const treasury = createSigner();
  const give = (wallet: string, amountMinor: bigint, lamports: bigint) =>
    mintTokens(local, token, { wallet, amountMinor, lamports });
  await createMint(local, token);
  await give(treasury.address, TREASURY_MINOR, TREASURY_LAMPORTS);
  const finalize = () => local.advance(local.blocksToFinal);
  finalize();
  const [mint, wallet] = [token.mint.address, treasury.address];
  const open = (urls: readonly string[] = local.urls, timeoutMs = TIMEOUT_MS) =>
    openChain({ urls, mint, wallet, decimals: DECIMALS, timeoutMs });
  return {
    local,
    token,
    treasury,
    chain: open(),
    open,
    async fund(amountMinor, signer = createSigner()) {
      await give(signer.address, amountMinor, PLAYER_LAMPORTS);
      finalize();
      return signer;
    },
    async deposit(from, amountMinor) {
      const rpcUrl = local.url;
      const order = { rpcUrl, mint, projectWallet: wallet, amountMinor };
      return sendDeposit({ rpcUrl, bytes: (await signDeposit(from, order)).bytes });
    },
    finalize,
    close: local.close,
  };
}
