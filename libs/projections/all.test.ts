import { Bug } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { projections } from './all.ts';
import { foldKnown } from './projection.ts';

test.each(projections)('$name stops at an event of a newer build', (projection) => {
  const history = createHistory();
  history.register(walletOf(1));
  const [known] = history.recorded();
  const unknown = { ...known, event: { type: 'Invented', data: {} } } as unknown as RecordedEvent;
  expect(() => foldKnown<unknown>(projection, [unknown])).toThrow(Bug);
});

test.each(projections)('$name names its tables by its version', ({ name, version, ...its }) => {
  expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  for (const table of its.tables) {
    expect(table.name).toMatch(new RegExp(`_v${version}$`));
    expect(its.tableSql).toContain(`create table if not exists ${table.name} (`);
  }
});
