import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkLoadError, loadPart, PART_TIMEOUT_MS } from './load-part.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a part that loads is returned unchanged', async () => {
  expect(await loadPart(async () => 'part')).toBe('part');
});

test('a part that fails is a ChunkLoadError with its cause', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module');
  const failing = loadPart(() => Promise.reject(cause));
  await expect(failing).rejects.toMatchObject({ name: 'ChunkLoadError', cause });
});

test('a part that does not arrive within 120 s is a ChunkLoadError too, and not before', async () => {
  const settled = vi.fn();
  const never = loadPart(() => new Promise<never>(() => undefined)).catch((error: unknown) => {
    settled(error);
  });
  await vi.advanceTimersByTimeAsync(PART_TIMEOUT_MS - 1);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await never;
  expect(settled.mock.calls[0]?.[0]).toBeInstanceOf(ChunkLoadError);
});
