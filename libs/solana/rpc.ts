import { getAssociatedTokenAddressSync, unpackAccount } from '@solana/spl-token';
import {
  type AccountInfo,
  type Connection,
  PublicKey,
  SendTransactionError,
} from '@solana/web3.js';
import { readAddress } from './keys.ts';
import { type Absence, askAbsence, askStatus, type Status } from './landing.ts';
import { type MintPower, readTerms, type Terms } from './mint.ts';
import { type Nodes, openNodes, reasonOf, type Trouble } from './nodes.ts';
import { type ChainTransaction, readTransaction, type SignedTransfer } from './transaction.ts';

export interface ChainOptions {
  /** RPC URLs in order of preference. Logs and errors never contain their API keys. */
  readonly urls: readonly string[];
  readonly mint: string;
  /** The treasury's wallet. */
  readonly wallet: string;
  /** Decimals of the ledger; a mint with other decimals is refused. */
  readonly decimals: number;
  /** Accepted powers over the mint. */
  readonly allow?: readonly MintPower[];
  /** Timeout of one request to one node. */
  readonly timeoutMs?: number;
  /** Called for every failed request, for log and metrics. */
  onTrouble?(trouble: Trouble): void;
}

/** A node's response to `send`. Only `status` returns the result of the transaction. */
export type Sent =
  /** The node accepted it (or had it). It may land or not. */
  | { readonly kind: 'taken' }
  /** The node did not forward it. Bytes sent earlier may still land. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No response: it may have been accepted. Never a reason to sign again. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface SignatureSeen {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
  readonly timeS: number | null;
}

export type Level = 'confirmed' | 'finalized';

/** Typed access to the chain. Reads throw ChainAway if no node responds. Amounts are minor units. */
export interface Chain {
  readonly options: ChainOptions;
  /** Number of providers of the URLs, as possible witnesses. */
  readonly providers: number;
  /** The mint's terms, read once. Throws MintRefused if the policy refuses the mint. */
  terms(): Promise<Terms>;
  /** Null while no node knows it at that level. */
  transaction(signature: string, level: Level): Promise<ChainTransaction | null>;
  /** Same for many, in the same order, batched if the node accepts batches. */
  transactions(
    signatures: readonly string[],
    level: Level,
  ): Promise<readonly (ChainTransaction | null)[]>;
  /**
   * Finalized transactions of the treasury's token account, or of `address`, newest first: after `until`, older than
   * `before`.
   */
  signatures(o: {
    readonly address?: string;
    readonly limit: number;
    readonly before?: string;
    readonly until?: string;
  }): Promise<readonly SignatureSeen[]>;
  send(bytes: string): Promise<Sent>;
  /** The status reported by one node. */
  status(signed: Pick<SignedTransfer, 'signature' | 'lastValidBlockHeight'>): Promise<Status>;
  /** The reports of all nodes; required before a payment is signed again. */
  absence(signed: SignedTransfer): Promise<Absence>;
  /** The treasury's finalized balance; 0 without a token account. */
  treasury(): Promise<{
    readonly tokenMinor: bigint;
    readonly lamports: bigint;
    readonly slot: number;
  }>;
  /** The token balance of that wallet's associated account, confirmed; null without the account. */
  walletBalance(wallet: string): Promise<bigint | null>;
  /** Any account, confirmed; null if there is none. */
  account(address: string): Promise<AccountInfo<Buffer> | null>;
  /** Identifies the chain. */
  genesisHash(): Promise<string>;
  /** Any other read, with failover between nodes. */
  read<T>(call: string, ask: (connection: Connection) => Promise<T>): Promise<T>;
}

const TIMEOUT_MS = 8_000;
/** Limit of one `signatures` call, set by the RPC. */
export const SIGNATURES_MAX = 1_000;
/** Transactions per batch. */
const BATCH_SIZE = 25;

/** Opens the chain without a request. Throws without a URL or for an invalid address. */
export function openChain(options: ChainOptions): Chain {
  if (options.urls.length === 0) throw new Error('at least one RPC URL is required');
  const { mint, wallet } = options;
  if (!readAddress(mint)) throw new Error(`${mint} is not the address of a mint`);
  if (!readAddress(wallet)) throw new Error(`${wallet} is not the address of a wallet`);
  const { urls, onTrouble, timeoutMs = TIMEOUT_MS } = options;
  const nodes = openNodes({ urls, timeoutMs, ...(onTrouble ? { onTrouble } : {}) });
  const terms = remember(() => askTerms(nodes, options));
  return {
    options,
    providers: new Set(nodes.all.map(({ provider }) => provider)).size,
    terms,
    ...transactionCalls(nodes, terms),
    ...balanceCalls(nodes, terms, wallet),
    genesisHash: remember(() => nodes.read('getGenesisHash', (node) => node.getGenesisHash())),
    read: nodes.read,
  };
}

async function askTerms(nodes: Nodes, o: ChainOptions): Promise<Terms> {
  const { mint, wallet, decimals, allow = [] } = o;
  const [account, { epoch }] = await Promise.all([
    nodes.read('getAccountInfo', (node) => node.getAccountInfo(new PublicKey(mint), 'confirmed')),
    nodes.read('getEpochInfo', (node) => node.getEpochInfo()),
  ]);
  return readTerms({ mint, wallet, decimals, allow, epoch, account });
}

function transactionCalls(nodes: Nodes, terms: () => Promise<Terms>) {
  const transaction: Chain['transaction'] = async (signature, level) => {
    const response = await nodes.read('getTransaction', (node) =>
      node.getTransaction(signature, { commitment: level, maxSupportedTransactionVersion: 0 }),
    );
    return response && readTransaction(signature, response);
  };
  return {
    transaction,
    async transactions(signatures, level) {
      const found: (ChainTransaction | null)[] = [];
      for (let from = 0; from < signatures.length; from += BATCH_SIZE) {
        const batch = signatures.slice(from, from + BATCH_SIZE);
        found.push(...(await readBatch(nodes, batch, level, transaction)));
      }
      return found;
    },
    async signatures({ address, limit, before, until }) {
      const of = address ?? (await terms()).tokenAccount;
      const page = { limit, ...(before ? { before } : {}), ...(until ? { until } : {}) };
      const found = await nodes.read('getSignaturesForAddress', (node) =>
        node.getSignaturesForAddress(new PublicKey(of), page, 'finalized'),
      );
      return found.map(({ signature, slot, err, blockTime }) => ({
        signature,
        slot,
        failed: err !== null,
        timeS: blockTime ?? null,
      }));
    },
    send: (bytes) => send(nodes, bytes),
    status: (signed) => nodes.read('getSignatureStatuses', (node) => askStatus(node, signed)),
    absence: (signed) => askAbsence(nodes, signed),
  } satisfies Partial<Chain>;
}

/** Several transactions in one batch; one by one if the provider refuses batches. */
async function readBatch(
  nodes: Nodes,
  signatures: readonly string[],
  level: Level,
  transaction: Chain['transaction'],
): Promise<readonly (ChainTransaction | null)[]> {
  const options = { commitment: level, maxSupportedTransactionVersion: 0 };
  const answers = await nodes
    .once('getTransactions', (node) => node.getTransactions([...signatures], options))
    .catch(() => null);
  const read = answers?.map((response, index) => {
    const signature = signatures[index] ?? '';
    // A response is matched to its transaction by the signature.
    const isIt = response?.transaction.signatures.includes(signature) === true;
    return isIt ? readTransaction(signature, response) : null;
  });
  const found: (ChainTransaction | null)[] = [];
  for (const [index, signature] of signatures.entries()) {
    found.push(read?.[index] ?? (await transaction(signature, level)));
  }
  return found;
}

async function send(nodes: Nodes, bytes: string): Promise<Sent> {
  try {
    await nodes.once('sendTransaction', (node) =>
      node.sendEncodedTransaction(bytes, { preflightCommitment: 'confirmed' }),
    );
    return { kind: 'taken' };
  } catch (error) {
    if (!(error instanceof SendTransactionError)) {
      return { kind: 'unknown', reason: reasonOf(error) };
    }
    const reason = reasonOf(error.transactionError.message);
    return /already been processed/i.test(reason) ? { kind: 'taken' } : { kind: 'refused', reason };
  }
}

function balanceCalls(nodes: Nodes, terms: () => Promise<Terms>, wallet: string) {
  const tokenOf = async (owner: string) => {
    const { mint, program } = await terms();
    const [mintKey, programKey] = [new PublicKey(mint), new PublicKey(program)];
    const address = getAssociatedTokenAddressSync(mintKey, new PublicKey(owner), true, programKey);
    return { address, programKey };
  };
  return {
    async treasury() {
      const { address, programKey } = await tokenOf(wallet);
      const { context, value } = await nodes.read('getMultipleAccounts', (node) =>
        node.getMultipleAccountsInfoAndContext([address, new PublicKey(wallet)], 'finalized'),
      );
      const [token, own] = value;
      return {
        tokenMinor: token ? unpackAccount(address, token, programKey).amount : 0n,
        lamports: BigInt(own?.lamports ?? 0),
        slot: context.slot,
      };
    },
    async walletBalance(owner) {
      const { address, programKey } = await tokenOf(owner);
      const account = await nodes.read('getAccountInfo', (node) =>
        node.getAccountInfo(address, 'confirmed'),
      );
      return account && unpackAccount(address, account, programKey).amount;
    },
    account: (address) =>
      nodes.read('getAccountInfo', (node) =>
        node.getAccountInfo(new PublicKey(address), 'confirmed'),
      ),
  } satisfies Partial<Chain>;
}

/** Caches the result; repeats the call only after a failure. */
function remember<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | null = null;
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}
