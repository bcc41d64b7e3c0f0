/**
 * Maximum unsent bytes of all sockets of a process. A healthy socket has almost none and a slow one at most 256 KB, so 256
 * sockets may be slow at the same time. Node's objects take up to as much memory again; the kernel's buffers are not included.
 */
const UNSENT_MAX_BYTES = 64 * 1024 * 1024;
/** Sockets are closed down to this share: the next search then follows at least a quarter of the maximum later. */
const KEPT_SHARE = 0.75;

export interface Queue {
  unsentBytes(): number;
  /** Closes the socket immediately, which frees its queue. */
  drop(): void;
}

export interface Account {
  /** Reads the figure of the queue; called after each send. */
  update(): void;
  close(): void;
}

export interface Unsent {
  open(queue: Queue): Account;
  /** Reads all queues. @returns their unsent bytes, at most the maximum. */
  measure(): number;
}

/**
 * A running total, O(1) per send. Queues drain without notice, so it is never too low, but it may be too high: above the maximum
 * all queues are read, and if the total is above KEPT_SHARE, the longest queues are dropped.
 */
export function openUnsent(maxBytes = UNSENT_MAX_BYTES): Unsent {
  const queues = new Map<Account, Queue>();
  const counted = new Map<Account, number>();
  let total = 0;

  function count(account: Account, bytes: number): void {
    total += bytes - (counted.get(account) ?? 0);
    if (bytes === 0) counted.delete(account);
    else counted.set(account, bytes);
  }

  function readAll(): void {
    for (const account of [...counted.keys()])
      count(account, queues.get(account)?.unsentBytes() ?? 0);
  }

  function dropLongest(): void {
    readAll();
    const longestFirst = [...counted].sort(([, a], [, b]) => b - a);
    for (const [account] of longestFirst) {
      if (total <= maxBytes * KEPT_SHARE) return;
      queues.get(account)?.drop();
      account.close();
    }
  }

  return {
    open(queue) {
      const account: Account = {
        update() {
          if (!queues.has(account)) return;
          count(account, queue.unsentBytes());
          if (total > maxBytes) dropLongest();
        },
        close() {
          queues.delete(account);
          count(account, 0);
        },
      };
      queues.set(account, queue);
      return account;
    },
    measure() {
      readAll();
      if (total > maxBytes) dropLongest();
      return total;
    },
  };
}
