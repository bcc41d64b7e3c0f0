import { getAssociatedTokenAddressSync, unpackAccount } from '@solana/spl-token';
import {
  type AccountInfo,
  type Connection,
  PublicKey,
  SendTransactionError,
} from '@solana/web3.js';
import { readAddress } from './keys.ts';
import { type Absence, askAbsence, askStatus, type Expiring, type Status } from './landing.ts';
import { type MintPower, readTerms, type Terms } from './mint.ts';
import {
  ChainAway,
  isAway,
  type Node,
  type Nodes,
  openNodes,
  reasonOf,
  type Trouble,
} from './nodes.ts';
import {
  type ChainTransaction,
  isSignature,
  readTransaction,
  type SignedTransfer,
} from './transaction.ts';

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

/**
 * A node's report of a finalized transaction. `none`: it does not know it, or has pruned it. `unreadable`: it has it in a form
 * that this build cannot read, such as a later version or without balances. `away`: no response.
 */
export interface Report {
  readonly provider: string;
  readonly found: ChainTransaction | 'none' | 'unreadable' | 'away';
}

/** Typed access to the chain. Reads throw ChainAway if no node responds. Amounts are minor units. */
export interface Chain {
  readonly options: ChainOptions;
  /** Number of providers of the URLs, as possible witnesses. */
  readonly providers: number;
  /** The mint's terms, read once. Throws MintRefused if the policy refuses the mint. */
  terms(): Promise<Terms>;
  /** As one node has it; null if that node does not know it at that level. */
  transaction(signature: string, level: Level): Promise<ChainTransaction | null>;
  /**
   * Finalized transactions in the same order, batched if the node accepts batches. One that the node lacks, or has in part, is
   * asked of all nodes: their reports, if none has it.
   */
  look(signatures: readonly string[]): Promise<readonly (ChainTransaction | readonly Report[])[]>;
  /** The same for the audit: null if every node reports `none`. Throws if a node has one that cannot be read, or is away. */
  transactions(signatures: readonly string[]): Promise<readonly (ChainTransaction | null)[]>;
  /** What each node reports of a finalized transaction: one node alone may be wrong. */
  reports(signature: string): Promise<readonly Report[]>;
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
  absence(signed: SignedTransfer | Expiring): Promise<Absence>;
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
  /** Where each node that responds is, confirmed. */
  places(): Promise<
    readonly { readonly provider: string; readonly height: number; readonly slot: number }[]
  >;
  /** Identifies the chain. */
  genesisHash(): Promise<string>;
  /** The next read begins with another node: what the last one answered is no error, but cannot be right. */
  turn(): void;
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
    turn: nodes.turn,
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

/** The highest version of transactions that this build can read. */
const VERSION_MAX = 1;
const optionsAt = (commitment: Level) => ({
  commitment,
  maxSupportedTransactionVersion: VERSION_MAX,
});

function transactionCalls(nodes: Nodes, terms: () => Promise<Terms>) {
  const reports: Chain['reports'] = (signature) =>
    Promise.all(
      nodes.all.map(async (node) => ({
        provider: node.provider,
        found: await askReport(nodes, node, signature),
      })),
    );
  const look: Chain['look'] = async (signatures) => {
    const found: (ChainTransaction | readonly Report[])[] = [];
    for (let from = 0; from < signatures.length; from += BATCH_SIZE) {
      const batch = signatures.slice(from, from + BATCH_SIZE);
      const answers = await readBatch(nodes, batch);
      for (const [index, signature] of batch.entries()) {
        const [answer, asked] = [answers[index], answers[index] ? [] : await reports(signature)];
        found.push(answer ?? foundOf(asked)[0] ?? asked);
      }
    }
    return found;
  };
  return {
    look,
    reports,
    transaction: (signature, level) =>
      nodes.read('getTransaction', async (node) => {
        const response = await node.getTransaction(signature, optionsAt(level));
        return response && readTransaction(signature, response);
      }),
    transactions: async (signatures) =>
      (await look(signatures)).map((one, index) => {
        if (!isReports(one)) return one;
        if (one.every(({ found }) => found === 'none')) return null;
        throw new ChainAway(`no RPC returned transaction ${signatures[index]} in a readable form`);
      }),
    async signatures({ address, limit, before, until }) {
      const of = address ?? (await terms()).tokenAccount;
      const page = { limit, ...(before ? { before } : {}), ...(until ? { until } : {}) };
      const found = await nodes.read('getSignaturesForAddress', async (node) => {
        const listed = await node.getSignaturesForAddress(new PublicKey(of), page, 'finalized');
        for (const { signature, slot } of listed) {
          if (!isSignature(signature) || !Number.isSafeInteger(slot)) {
            throw new Error('the node lists what is no transaction');
          }
        }
        return listed;
      });
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
    async places() {
      const asked = await Promise.allSettled(
        nodes.all.map(async (node) => {
          const { absoluteSlot: slot, blockHeight: height = 0 } = await nodes.ask(
            node,
            'getEpochInfo',
            (connection) => connection.getEpochInfo('confirmed'),
          );
          return { provider: node.provider, height, slot };
        }),
      );
      return asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    },
  } satisfies Partial<Chain>;
}

/** The transactions that nodes report. */
export function foundOf(reports: readonly Report[]): readonly ChainTransaction[] {
  return reports.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
}

/** Whether no node has it. */
export function isReports(one: ChainTransaction | readonly Report[]): one is readonly Report[] {
  return Array.isArray(one);
}

async function askReport(nodes: Nodes, node: Node, signature: string): Promise<Report['found']> {
  try {
    return await nodes.ask(node, 'getTransaction', async (connection) => {
      const response = await connection.getTransaction(signature, optionsAt('finalized'));
      return response ? readTransaction(signature, response) : 'none';
    });
  } catch (error) {
    return isAway(error) ? 'away' : 'unreadable';
  }
}

/** One batch of one node; null for each one that it lacks or that cannot be read, and if it refuses batches. */
async function readBatch(
  nodes: Nodes,
  signatures: readonly string[],
): Promise<readonly (ChainTransaction | null)[]> {
  const answers = await nodes
    .once('getTransactions', (node) =>
      node.getTransactions([...signatures], optionsAt('finalized')),
    )
    .catch(() => null);
  return (answers ?? []).map((response, index) => {
    const signature = signatures[index] ?? '';
    // A response is matched to its transaction by the signature.
    if (response?.transaction.signatures.includes(signature) !== true) return null;
    try {
      return readTransaction(signature, response);
    } catch {
      return null;
    }
  });
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
