/** The head of the ledger when it was read. */
interface Poll {
  readonly head: number;
  readonly atMs: number;
}

const RATE_OF_MS = 7_000;

/** The polls of the last seconds with another one. */
export const withPoll = (polls: readonly Poll[], poll: Poll): readonly Poll[] => [
  ...polls.filter(({ atMs }) => poll.atMs - atMs <= RATE_OF_MS),
  poll,
];

/** New events per second from the first to the last poll; null with one. */
export function rateOf(polls: readonly Poll[]): number | null {
  const [first, last] = [polls[0], polls.at(-1)];
  if (!first || !last || last.atMs <= first.atMs) return null;
  return Math.max(0, ((last.head - first.head) * 1_000) / (last.atMs - first.atMs));
}
