import { Connection, SolanaJSONRPCError } from '@solana/web3.js';

/** One RPC node. Logs use its name, because URLs contain API keys. */
export interface Node {
  readonly name: string;
  /** Nodes of one provider share faults. */
  readonly provider: string;
  readonly connection: Connection;
}

/** No node responded. The result is unknown; retry later. */
export class ChainAway extends Error {
  override readonly name = 'ChainAway';
}

export interface Trouble {
  readonly node: string;
  readonly call: string;
  readonly reason: string;
}

/** Attempts per node in one read. */
const ROUNDS_MAX = 2;
const PAUSE_MS = 150;
/** A failure after this time is that of a node that hangs; it is not asked with all others for a while. */
const SLOW_MS = 2_000;
const SILENT_MS = 15_000;
const REASON_MAX_LENGTH = 300;
/** Errors of the caller: another node would return the same. */
const CALLER_ERRORS: readonly unknown[] = [-32600, -32601, -32602];
/** The transaction has a later version than the request accepts. */
const VERSION_ERROR = -32015;

/** No usable response: no connection, a timeout, or a status that is not 200. */
class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

export interface Nodes {
  readonly all: readonly Node[];
  /**
   * Asks the node that responded last, then the others, each at most twice. Only for reads, because it may repeat a call.
   * Throws ChainAway if none responded, and a node's error for an invalid call.
   */
  read<T>(call: string, ask: (connection: Connection) => Promise<T>): Promise<T>;
  /** Asks the node that responded last, once. Throws its error without the URL. */
  once<T>(call: string, ask: (connection: Connection) => Promise<T>): Promise<T>;
  /** The next call begins with another node. */
  turn(): void;
  /** Asks the given node, once. */
  ask<T>(node: Node, call: string, ask: (connection: Connection) => Promise<T>): Promise<T>;
}

export function openNodes(o: {
  readonly urls: readonly string[];
  readonly timeoutMs: number;
  onTrouble?(trouble: Trouble): void;
}): Nodes {
  const all = o.urls.map((url, index) => openNode(url, index, o.timeoutMs));
  let best = 0;
  /** When a node last failed after a long wait. */
  const silent = new Map<Node, number>();
  const at = (index: number): Node => {
    const node = all[index % all.length];
    if (!node) throw new Error('at least one RPC URL is required');
    return node;
  };
  async function ask<T>(node: Node, call: string, question: (c: Connection) => Promise<T>) {
    const startedMs = performance.now();
    try {
      return await question(node.connection);
    } catch (error) {
      o.onTrouble?.({ node: node.name, call, reason: reasonOf(error) });
      if (performance.now() - startedMs > SLOW_MS) silent.set(node, performance.now());
      throw error;
    }
  }
  return {
    all,
    ask: async (node, call, question) => {
      // Questions to all nodes follow one another: each would wait for a node that hangs.
      const sinceMs = silent.get(node);
      if (sinceMs !== undefined && performance.now() - sinceMs < SILENT_MS) {
        throw new NoResponse(`${node.name} did not respond a moment ago`);
      }
      return ask(node, call, question);
    },
    turn: () => {
      best = (best + 1) % all.length;
    },
    async once(call, question) {
      const index = best;
      try {
        return await ask(at(index), call, question);
      } catch (error) {
        best = (index + 1) % all.length;
        throw error;
      }
    },
    async read(call, question) {
      const first = best;
      const reasons: string[] = [];
      for (let round = 0; round < ROUNDS_MAX; round++) {
        if (round > 0) await pause();
        for (let step = 0; step < all.length; step++) {
          const index = (first + step) % all.length;
          try {
            const answer = await ask(at(index), call, question);
            best = index;
            return answer;
          } catch (error) {
            if (isCallersFault(error)) throw error;
            reasons.push(`${at(index).name}: ${reasonOf(error)}`);
          }
        }
      }
      throw new ChainAway(`${call}: no RPC answered (${reasons.slice(0, all.length).join('; ')})`);
    },
  };
}

/** An error as one line without a URL. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\b(?:https?|wss?):\/\/\S+/g, '[url]').slice(0, REASON_MAX_LENGTH);
}

function openNode(url: string, index: number, timeoutMs: number): Node {
  const connection = new Connection(url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    // Node's fetch keeps connections alive; the library's agent is for another client.
    httpAgent: false,
    fetch: (input, init) => fetchText(input as string, init as RequestInit, timeoutMs) as never,
  });
  const { hostname } = new URL(url);
  return { name: `rpc-${index + 1} (${hostname})`, provider: providerOf(hostname), connection };
}

async function fetchText(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    // After a redirect, another host would answer as this provider.
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const text = await readText(response);
    if (response.ok) return new Response(text);
    throw new NoResponse(`${response.status} ${response.statusText}: ${text}`);
  } catch (error) {
    throw error instanceof NoResponse ? error : new NoResponse(String(error), { cause: error });
  }
}

/** The largest answers are pages of signatures and batches of transactions, some MB. */
const BYTES_MAX = 64 * 1024 * 1024;

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > BYTES_MAX) throw new NoResponse(`an answer of more than ${BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Whether a node gave no answer to the question: its response, if any, is not about what was asked. */
export function isAway(error: unknown): boolean {
  if (error instanceof SolanaJSONRPCError) {
    return error.code !== VERSION_ERROR && !isCallersFault(error);
  }
  return error instanceof NoResponse || error instanceof SyntaxError;
}

/**
 * The last two labels of a host name, because providers use a subdomain per customer, key or region. Two providers that
 * share them count as one, which only delays payments. An IP address is used as it is.
 */
export function providerOf(hostname: string): string {
  const isAddress = /^[\d.]+$|:/.test(hostname);
  return isAddress ? hostname : hostname.replace(/\.$/, '').split('.').slice(-2).join('.');
}

function isCallersFault(error: unknown): boolean {
  return error instanceof SolanaJSONRPCError && CALLER_ERRORS.includes(error.code);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())));
}
