/** What can go wrong with a chain and its nodes, told to happen. For tests. */
export interface Mischief {
  /** The next `times` transactions are taken, and never land. */
  dropSends(times: number): void;
  /** The next `times` transactions are taken, and land that many blocks later, if their blockhash still lives. */
  landLate(blocks: number, times: number): void;
  /** The next `times` answers to `method` come so late; what was asked is done at once. */
  answerLate(method: string, delayMs: number, times: number, node?: NodeName): void;
  /** The next `times` calls of `method` are done, and the connection ends without an answer. */
  hangUp(method: string, times: number, node?: NodeName): void;
  /** The next `times` calls of `method` are refused with a fault of the server, and not done. */
  fail(method: string, times: number, node?: NodeName): void;
  /** A node does not see that transaction: its search comes out empty. Until `heal`. */
  hide(signature: string, node: NodeName): void;
  /** A node keeps no block before that slot: its transactions are neither listed nor given. Until `heal`. */
  forget(beforeSlot: number, node: NodeName): void;
  /** Of the machines behind a node, the one that is asked for statuses lags so many blocks. Until `heal`. */
  lag(blocks: number, node: NodeName): void;
  /** A node ends every connection without doing anything. Until `heal`. */
  away(node: NodeName): void;
  /** A fork: a transaction that is not final yet was never there. The others after it run again. */
  lose(signature: string): void;
  /** No blockhash given out so far can be used any more. */
  expireBlockhashes(): void;
  /** Ends all mischief. What was lost stays lost. */
  heal(): void;
}

export type NodeName = 'first' | 'second';

/** What the server asks before and after each call. Every answer uses up one of the times that were ordered. */
export interface MischiefPlan {
  /** For the next transaction that is taken: `drop`, or so many blocks until it lands; null to land at once. */
  ofSend(): 'drop' | number | null;
  ofCall(method: string, node: NodeName): CallPlan;
  isAway(node: NodeName): boolean;
  hides(signature: string, node: NodeName): boolean;
  /** The first slot that a node keeps. */
  keptFrom(node: NodeName): number;
  lagOf(node: NodeName): number;
}

export interface CallPlan {
  /** Refuse it instead of doing it. */
  readonly fail: boolean;
  /** End the connection instead of answering. */
  readonly hangUp: boolean;
  /** Wait so long before the answer. */
  readonly delayMs: number;
}

interface Order {
  readonly kind: 'fail' | 'hangUp' | 'late';
  readonly method: string;
  readonly node: NodeName | undefined;
  readonly delayMs: number;
  times: number;
}

/** Orders are carried out oldest first. `lose` and `expireBlockhashes` are the chain's own doing. */
export function openMischief(chain: Pick<Mischief, 'lose' | 'expireBlockhashes'>): {
  mischief: Mischief;
  plan: MischiefPlan;
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
  const mischief: Mischief = {
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
    heal() {
      orders = [];
      sends = [];
      hidden.clear();
      kept.clear();
      lags.clear();
      gone.clear();
    },
  };
  return {
    mischief,
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
