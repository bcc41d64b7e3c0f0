import { expect, test } from 'vitest';
import { createAlarm, pause } from './alarm.ts';

test('a ring wakes the waiter, or the next one', async () => {
  const alarm = createAlarm();
  const waiting = alarm.wait(60_000);
  alarm.ring();
  expect(await waiting).toBe(true);
  alarm.ring();
  alarm.ring();
  expect(await alarm.wait(60_000)).toBe(true);
  expect(await alarm.wait(1)).toBe(false);
});

test('a pause ends when its signal aborts', async () => {
  const stop = new AbortController();
  const paused = pause(60_000, stop.signal);
  stop.abort();
  await paused;
  await pause(60_000, stop.signal);
});
