import { WAIT } from '@reelbook/testing/wait';
import { expect, test, vi } from 'vitest';
import { type Child, keepRunning } from './keep-running.ts';

function defer<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A child that the test ends. */
function createChild() {
  const ended = defer<string>();
  const close = vi.fn(async () => ended.resolve('closed'));
  return { child: { ended: ended.promise, close } satisfies Child, end: ended.resolve, close };
}

function setUp(starts: readonly (ReturnType<typeof createChild> | Error)[], failuresMax = 10) {
  const first = createChild();
  const log = { warn: vi.fn(), error: vi.fn() };
  const act = vi.fn();
  const ending = new AbortController();
  const left = [...starts];
  const start = vi.fn(async () => {
    const next = left.shift();
    if (!next || next instanceof Error) throw next ?? new Error('no more');
    return next.child;
  });
  const kept = keepRunning(first.child, {
    name: 'server',
    signal: ending.signal,
    log,
    start,
    giveUp: { failuresMax, act },
    timing: { pauseMinMs: 1, pauseMaxMs: 2, worksAfterMs: 600_000 },
  });
  return { first, log, act, ending, start, kept };
}

test('starts again until it succeeds, and reports the failed starts once', async () => {
  const next = createChild();
  const { first, log, act, start, kept } = setUp([new Error('a'), new Error('b'), next]);
  first.end('killed');
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledWith({}, 'server runs again'), WAIT);
  expect(start).toHaveBeenCalledTimes(3);
  expect(log.error).toHaveBeenCalledTimes(1);
  expect(act).not.toHaveBeenCalled();
  await kept.close();
  expect(next.close).toHaveBeenCalledTimes(1);
});

test('gives up after the failures in a row, whether ends or failed starts', async () => {
  const next = createChild();
  const { first, act, start, kept } = setUp([next, new Error('a'), new Error('b')], 3);
  first.end('killed');
  next.end('killed again');
  await vi.waitFor(() => expect(act).toHaveBeenCalledWith('b'), WAIT);
  expect(start).toHaveBeenCalledTimes(3);
  await kept.close();
});

test('an end after closing began is no reason to start', async () => {
  const { first, ending, start, kept } = setUp([]);
  ending.abort();
  first.end('killed');
  await kept.close();
  expect(start).not.toHaveBeenCalled();
});

test('a child that is starting while it closes is closed', async () => {
  const next = createChild();
  const begun = defer<null>();
  const go = defer<null>();
  const { first, start, kept } = setUp([]);
  start.mockImplementation(async () => {
    begun.resolve(null);
    await go.promise;
    return next.child;
  });
  first.end('killed');
  await begun.promise;
  const closed = kept.close();
  go.resolve(null);
  await closed;
  expect(next.close).toHaveBeenCalledTimes(1);
});
