import type { Batch, Bus, LedgerCommand } from '@reelbook/event-store/bus/bus';

export const silentLog = { info() {}, warn() {} };

/** A hash for tests that only compare. */
export const hashOf = (position: number) => position.toString(16).padStart(64, '0');

/** A command of two events whose first is at `firstPosition`. */
export function message(firstPosition: number, id = 'anna'): LedgerCommand {
  return {
    stream: `player-${id}`,
    firstPosition,
    bodies: [`{"n":${firstPosition}}`, `{"n":${firstPosition + 1},"text":"ü\\n"}`],
    previousHash: hashOf(firstPosition - 1),
    hash: hashOf(firstPosition + 1),
  };
}

/** Commands that follow each other. */
export const range = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => message(first + 2 * index));

/** The texts of the events from a position on. */
export const textsOf = (commands: readonly LedgerCommand[]) =>
  commands.flatMap(({ bodies }) => bodies);

export const textsIn = (batches: readonly Batch[]) =>
  batches.flatMap((batch) => batch.texts().map(String));

export const firstsIn = (batches: readonly Batch[]) =>
  batches.flatMap(({ commands }) => commands.map(({ firstPosition }) => firstPosition));

/** Consumes from a position on until `isLast` is true of a batch. */
async function takeUntil(
  bus: Bus,
  from: number,
  isLast: (batch: Batch) => boolean,
): Promise<Batch[]> {
  const enough = new AbortController();
  const taken: Batch[] = [];
  await bus.consume({
    name: 'test',
    from,
    onBatch(batch) {
      taken.push(batch);
      if (isLast(batch)) enough.abort();
      return true;
    },
    signal: enough.signal,
  });
  return taken;
}

export const takeTo = (bus: Bus, from: number, to: number) =>
  takeUntil(bus, from, ({ lastPosition }) => lastPosition >= to);
