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

export interface CallPlan {
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
