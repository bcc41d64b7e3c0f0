import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** Slots advance with time, one block each: height and slot are equal, and downtime adds blocks. */
export interface Clock {
  /** The current block. */
  slot(): number;
  advance(blocks: number): void;
  timeSOf(slot: number): number;
  /** The blockhash of a slot, derived from the seed of the chain. */
  blockhash(slot: number): string;
  /** The slot of a blockhash, among the newest `blocks`; null for any other text. */
  slotOf(blockhash: string, blocks: number): number | null;
  /** Changes every blockhash, so that all earlier ones are invalid. */
  expireBlockhashes(): void;
  /** Stored with the chain, so that slots never decrease. */
  readonly setting: ClockSetting;
}

export interface ClockSetting {
  /** Slots that `advance` added. */
  readonly addedSlots: number;
  /** How often all blockhashes were expired. */
  readonly expired: number;
}

export interface Genesis {
  /** 32 bytes in hex: seed of this chain's blockhashes. */
  readonly seed: string;
  readonly timeMs: number;
}

/** Above 0, because lookup tables require older slots. */
const FIRST_SLOT = 1_000;

export function openClock(o: {
  readonly genesis: Genesis;
  readonly slotMs: number;
  readonly manual: boolean;
  readonly setting: ClockSetting;
}): Clock {
  let { addedSlots: added, expired } = o.setting;
  let newest = 0;
  const hashes = new Map<number, string>();
  const blockhash = (slot: number): string => {
    const known = hashes.get(slot);
    if (known !== undefined) return known;
    const text = `${o.genesis.seed} ${expired} ${slot}`;
    const hash = bs58.encode(createHash('sha256').update(text).digest());
    hashes.set(slot, hash);
    return hash;
  };
  const slot = () => {
    const passed = o.manual ? 0 : Math.floor((Date.now() - o.genesis.timeMs) / o.slotMs);
    // If the system clock is set back, the chain pauses.
    newest = Math.max(newest, FIRST_SLOT + added + passed);
    return newest;
  };
  return {
    slot,
    blockhash,
    advance(blocks) {
      added += blocks;
    },
    timeSOf: (at) => Math.floor((o.genesis.timeMs + (at - FIRST_SLOT) * o.slotMs) / 1_000),
    slotOf(text, blocks) {
      const last = slot();
      // In a new chain the confirmed slot would be before the first one.
      const first = Math.max(0, last - blocks);
      for (const old of hashes.keys()) if (old < first) hashes.delete(old);
      for (let at = last; at >= first; at--) if (blockhash(at) === text) return at;
      return null;
    },
    expireBlockhashes() {
      expired += 1;
      hashes.clear();
    },
    get setting() {
      return { addedSlots: added, expired };
    },
  };
}

/** Fault injection for the chain and its nodes, for tests. */
export interface FaultControl {
  /** Accepts the next `times` transactions, which never land. */
  dropSends(times: number): void;
  /** Accepts the next `times` transactions, which land so many blocks later if their blockhash is still valid. */
  landLate(blocks: number, times: number): void;
  /** Delays the next `times` responses to `method`; the call itself runs immediately. */
  answerLate(method: string, delayMs: number, times: number, node?: NodeName): void;
  /** Runs the next `times` calls of `method`, then closes the connection without a response. */
  hangUp(method: string, times: number, node?: NodeName): void;
  /** Refuses the next `times` calls of `method` with a server error; they do not run. */
  fail(method: string, times: number, node?: NodeName): void;
  /** Hides a transaction from a node. Until `clear`. */
  hide(signature: string, node: NodeName): void;
  /** Removes a node's history before a slot. Until `clear`. */
  forget(beforeSlot: number, node: NodeName): void;
  /** Lets the machine of a node that returns statuses lag by so many blocks. Until `clear`. */
  lag(blocks: number, node: NodeName): void;
  /** A node closes every connection without running the call. Until `clear`. */
  away(node: NodeName): void;
  /** A fork: removes a transaction that is not final. Later ones run again. */
  lose(signature: string): void;
  /** Expires all blockhashes. */
  expireBlockhashes(): void;
  /** Ends all faults. Removed transactions stay removed. */
  clear(): void;
}

export type NodeName = 'first' | 'second';

/** Read by the server before and after each call. Each read consumes one of the ordered `times`. */
export interface FaultPlan {
  /** For the next accepted transaction: `drop`, or a number of blocks until it lands; null lands immediately. */
  ofSend(): 'drop' | number | null;
  ofCall(method: string, node: NodeName): CallPlan;
  isAway(node: NodeName): boolean;
  hides(signature: string, node: NodeName): boolean;
  /** The first slot in a node's history. */
  keptFrom(node: NodeName): number;
  lagOf(node: NodeName): number;
}

interface CallPlan {
  /** Refuse the call instead of running it. */
  readonly fail: boolean;
  /** Close the connection instead of responding. */
  readonly hangUp: boolean;
  /** Delay of the response. */
  readonly delayMs: number;
}

interface Order {
  readonly kind: 'fail' | 'hangUp' | 'late';
  readonly method: string;
  readonly node: NodeName | undefined;
  readonly delayMs: number;
  times: number;
}

/** Orders run oldest first. The chain implements `lose` and `expireBlockhashes`. */
export function openFaults(chain: Pick<FaultControl, 'lose' | 'expireBlockhashes'>): {
  faults: FaultControl;
  plan: FaultPlan;
} {
  let orders: Order[] = [];
  let sends: ('drop' | number)[] = [];
  const hidden = new Set<string>();
  const kept = new Map<NodeName, number>();
  const lags = new Map<NodeName, number>();
  const gone = new Set<NodeName>();
  const order = (
    kind: Order['kind'],
    o: { method: string; times: number; node: NodeName | undefined; delayMs?: number },
  ) => void orders.push({ kind, delayMs: 0, ...o });
  const take = (kind: Order['kind'], method: string, node: NodeName): Order | null => {
    const found = orders.find(
      (one) =>
        one.kind === kind && one.method === method && one.times > 0 && (one.node ?? node) === node,
    );
    if (found) found.times -= 1;
    return found ?? null;
  };
  const faults: FaultControl = {
    ...chain,
    dropSends: (times) => void sends.push(...Array<'drop'>(times).fill('drop')),
    landLate: (blocks, times) => void sends.push(...Array<number>(times).fill(blocks)),
    answerLate: (method, delayMs, times, node) => order('late', { method, times, node, delayMs }),
    hangUp: (method, times, node) => order('hangUp', { method, times, node }),
    fail: (method, times, node) => order('fail', { method, times, node }),
    hide: (signature, node) => void hidden.add(`${node} ${signature}`),
    forget: (beforeSlot, node) => void kept.set(node, beforeSlot),
    lag: (blocks, node) => void lags.set(node, blocks),
    away: (node) => void gone.add(node),
    clear() {
      orders = [];
      sends = [];
      hidden.clear();
      kept.clear();
      lags.clear();
      gone.clear();
    },
  };
  return {
    faults,
    plan: {
      ofSend: () => sends.shift() ?? null,
      ofCall(method, node) {
        const fail = take('fail', method, node) !== null;
        const hangUp = !fail && take('hangUp', method, node) !== null;
        return { fail, hangUp, delayMs: take('late', method, node)?.delayMs ?? 0 };
      },
      isAway: (node) => gone.has(node),
      hides: (signature, node) => hidden.has(`${node} ${signature}`),
      keptFrom: (node) => kept.get(node) ?? 0,
      lagOf: (node) => lags.get(node) ?? 0,
    },
  };
}
