import type { Bus, CommandMessage } from '@reelbook/bus/bus';

export const silentLog = { info() {}, warn() {} };

/** A hash for tests that only compare. */
export const hashOf = (position: number) => position.toString(16).padStart(64, '0');

/** A command of two events whose first stands at `firstPosition`. */
export function message(firstPosition: number, id = 'anna'): CommandMessage {
  return {
    kind: 'player',
    id,
    firstPosition,
    lastPosition: firstPosition + 1,
    firstVersion: 1,
    lastVersion: 2,
    bodies: [`{"n":${firstPosition}}`, `{"n":${firstPosition + 1},"text":"ü\\n"}`],
    hashes: [hashOf(firstPosition), hashOf(firstPosition + 1)],
  };
}

/** Commands that follow each other. */
export const range = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => message(first + 2 * index));

/** Consumes from a position on until `isLast` says so of a message. */
export async function takeUntil(
  bus: Bus,
  from: number,
  isLast: (message: CommandMessage, count: number) => boolean,
): Promise<CommandMessage[]> {
  const enough = new AbortController();
  const taken: CommandMessage[] = [];
  await bus.consume({
    name: 'test',
    from,
    onMessage(one) {
      taken.push(one);
      if (isLast(one, taken.length)) enough.abort();
    },
    signal: enough.signal,
  });
  return taken;
}

export const take = (bus: Bus, from: number, count: number) =>
  takeUntil(bus, from, (_, taken) => taken === count);
