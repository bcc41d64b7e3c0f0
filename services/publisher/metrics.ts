import type { Check } from '@reelbook/runtime/health';
import { Gauge, openMetrics, type Registry } from '@reelbook/runtime/metrics';
import type { PublisherStatus } from './publisher.ts';

/** What the publisher does, read when it is asked for. */
export function measurePublisher(status: () => PublisherStatus): Registry {
  const registry = openMetrics('publisher');
  const figure = (name: string, help: string, read: (now: PublisherStatus) => number) =>
    new Gauge({
      name: `reelbook_publisher_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read(status()));
      },
    });
  figure('acting', '1 while this one holds the lease', ({ acting }) => Number(acting));
  figure('position', 'Last position known to be stored', ({ position }) => position ?? 0);
  figure('published', 'Commands handed over since its start', ({ published }) => published);
  figure('rewinds', 'Times that it went back to what is stored', ({ rewinds }) => rewinds);
  figure('failing', '1 while it cannot publish', ({ failing }) => Number(failing !== null));
  figure(
    'foreign_stream',
    '1 while the stream holds events that the ledger does not have, and nothing is published until an operator has decided (`npm run reelbook -- stream`): alert above 0',
    ({ foreignStream }) => Number(foreignStream),
  );
  return registry;
}

export function publisherCheck(status: () => PublisherStatus): Check {
  return { name: 'publishing', check: () => status().failing };
}
