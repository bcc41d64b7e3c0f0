import { expect, test } from 'vitest';
import { abortable } from './abortable.ts';

const never = () => new Promise<string>(() => {});

test('a response in time is returned, and so is a refusal', async () => {
  const { signal } = new AbortController();
  await expect(abortable(async () => 'yes', signal)).resolves.toBe('yes');
  const refuse = () => Promise.reject(new Error('no'));
  await expect(abortable(refuse, signal)).rejects.toThrow('no');
});

test('a request without a response can be cancelled', async () => {
  const call = new AbortController();
  const result = abortable(never, call.signal);
  call.abort(new Error('left'));
  await expect(result).rejects.toThrow('left');
});

test('a request cancelled before it starts is not made', async () => {
  let isAsked = false;
  const request = async () => {
    isAsked = true;
  };
  const off = AbortSignal.abort(new Error('off'));
  await expect(abortable(request, off)).rejects.toThrow('off');
  expect(isAsked).toBe(false);
});
