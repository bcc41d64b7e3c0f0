import { expect, test } from 'vitest';
import { unlessCalledOff } from './called-off.ts';

const never = () => new Promise<string>(() => {});

test('an answer in time is passed on, and so is a refusal', async () => {
  const { signal } = new AbortController();
  await expect(unlessCalledOff(async () => 'yes', signal)).resolves.toBe('yes');
  const refuse = () => Promise.reject(new Error('no'));
  await expect(unlessCalledOff(refuse, signal)).rejects.toThrow('no');
});

test('who never answers can be left', async () => {
  const call = new AbortController();
  const asked = unlessCalledOff(never, call.signal);
  call.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
});

test('nobody is asked for what was called off before', async () => {
  let isAsked = false;
  const ask = async () => {
    isAsked = true;
  };
  const off = AbortSignal.abort(new Error('off'));
  await expect(unlessCalledOff(ask, off)).rejects.toThrow('off');
  expect(isAsked).toBe(false);
});
