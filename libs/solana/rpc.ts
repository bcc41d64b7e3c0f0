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
  /** RPC URLs in order of preference. Keys in them never reach a log or an error. */
  readonly urls: readonly string[];
  readonly mint: string;
  /** The treasury's wallet. */
  readonly wallet: string;
  /** What the ledger counts in; a mint of other decimals is refused. */
  readonly decimals: number;
  /** Powers over the mint that are accepted all the same. */
  readonly allow?: readonly MintPower[];
  /** Of one request to one node. */
  readonly timeoutMs?: number;
  /** Target of every failed request; for log and metrics. */
  onTrouble?(trouble: Trouble): void;
}

/** What a node said of a sent transaction. Only `status` says what became of it. */
export type Sent =
  /** The node took it (or had it already). It may land, or not. */
  | { readonly kind: 'taken' }
  /** The node did not pass it on. Bytes sent before, by whomever, may land all the same. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer: it may have been taken. Never sign anew for this. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface SignatureSeen {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
  readonly timeS: number | null;
}

export type Level = 'confirmed' | 'finalized';

/** Thin, typed access to the chain. Reads throw ChainAway when no node answers. Amounts are minor units. */
export interface Chain {
  readonly options: ChainOptions;
  /** Of the URLs: how many could witness that a payment never landed. */
  readonly providers: number;
  /** The mint as it is, read once. Throws MintRefused for one that the policy refuses. */
  terms(): Promise<Terms>;
  /** Null while no node knows it at that level. */
  transaction(signature: string, level: Level): Promise<ChainTransaction | null>;
  /** The same of many, by fewer requests where the node takes several in one. In the order asked. */
  transactions(
    signatures: readonly string[],
    level: Level,
  ): Promise<readonly (ChainTransaction | null)[]>;
  /**
   * Finalized transactions of our token account, or of another `address`, newest first: those after `until`, older than
   * `before`.
   */
  signatures(o: {
    readonly address?: string;
    readonly limit: number;
    readonly before?: string;
    readonly until?: string;
  }): Promise<readonly SignatureSeen[]>;
  send(bytes: string): Promise<Sent>;
  /** What became of it, by the word of one node. */
  status(signed: Pick<SignedTransfer, 'signature' | 'lastValidBlockHeight'>): Promise<Status>;
  /** Asks every node for itself, before a payment is signed a second time. */
  absence(signed: SignedTransfer): Promise<Absence>;
  /** What the treasury holds, finalized. 0 where it has no token account yet. */
  treasury(): Promise<{
    readonly tokenMinor: bigint;
    readonly lamports: bigint;
    readonly slot: number;
  }>;
  /** Our token in that wallet's associated account, confirmed; null where the account is missing. */
  walletBalance(wallet: string): Promise<bigint | null>;
  /** Any account, confirmed; null where there is none. */
  account(address: string): Promise<AccountInfo<Buffer> | null>;
  /** Tells one chain from another. */
  genesisHash(): Promise<string>;
  /** Any other read, asked of one node after the other. */
  read<T>(call: string, ask: (connection: Connection) => Promise<T>): Promise<T>;
}

const TIMEOUT_MS = 8_000;
/** The most that one `signatures` brings: what the RPC allows. */
export const SIGNATURES_MAX = 1_000;
/** Transactions in one request. */
const BATCH_SIZE = 25;

/** Opens the chain without asking anything yet. Throws for no URL, or an address that is none. */
export function openChain(options: ChainOptions): Chain {
  if (options.urls.length === 0) throw new Error('at least one RPC URL is needed');
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

/** Several in one request; one by one where that is refused: providers do not all take batches. */
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
    // An answer is believed to be that transaction only where it names its signature.
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

/** Asked once, and again only after it failed. */
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
