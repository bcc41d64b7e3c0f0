import { OutOfOrder } from '@reelbook/event-store/bus/bus';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { expect, test, vi } from 'vitest';
import { watchStoring } from './watch-storing.ts';

test('a server that reads but cannot write is reported; a refusal is a response', async () => {
  const bus = createInProcessBus();
  const publish = vi.fn(bus.publish).mockRejectedValue(new Error('no space'));
  const onStuck = vi.fn();
  const watched = watchStoring({ ...bus, publish }, onStuck, 0);
  await expect(watched.publish([])).rejects.toThrow('no space');
  expect(onStuck).toHaveBeenCalledWith(0, 'Error: no space');
  await watched.lastStored();
  expect(watched.healthy()).toBe(false);
  publish.mockRejectedValue(new OutOfOrder('late'));
  await expect(watched.publish([])).rejects.toThrow('late');
  expect(watched.healthy()).toBe(true);
  expect(onStuck).toHaveBeenCalledTimes(1);
  await bus.close();
});
