import { eventHash } from '@reelbook/games/fairness/chain';
import { expect, test } from 'vitest';
import { followChain } from './follow-chain.ts';

const PAGE = 3;

function chainOf(count: number) {
  let previous = '0'.repeat(64);
  return Array.from({ length: count }, (_, index) => {
    const position = index + 1;
    const body = JSON.stringify({ position, type: 'Noted', data: { n: index } });
    const hash = eventHash(previous, body);
    previous = hash;
    return { position, body, hash };
  });
}

type Event = ReturnType<typeof chainOf>[number];

function follow(events: readonly Event[], head = events.at(-1)) {
  const seen: number[] = [];
  const result = followChain({
    load: async (from) => ({
      previous_hash: '',
      events: events.filter(({ position }) => position >= from).slice(0, PAGE),
      head: { position: head?.position ?? 0, hash: head?.hash ?? '0'.repeat(64) },
    }),
    onProgress: ({ position }) => void seen.push(position),
  });
  return { result, seen };
}

test('follows an intact chain page by page to the head of the first page', async () => {
  const events = chainOf(8);
  const { result, seen } = follow(events, events[6]);
  expect(await result).toEqual({ position: 7, hash: events[6]?.hash, head: 7 });
  expect(seen).toEqual([3, 6, 7]);
});

test('finds one changed letter at its position, on any page', async () => {
  for (const at of [1, 3, 4, 8]) {
    const events = chainOf(8).map((event) =>
      event.position === at ? { ...event, body: event.body.replace('Noted', 'Notes') } : event,
    );
    expect(await follow(events).result).toMatchObject({ position: at });
  }
});

test('finds an event changed together with its hash by the event after it', async () => {
  const events = chainOf(5);
  const body = '{"position":2,"forged":true}';
  const forged = { position: 2, body, hash: eventHash(events[0]?.hash ?? '', body) };
  const result = follow(events.map((event) => (event.position === 2 ? forged : event))).result;
  expect(await result).toMatchObject({ position: 3 });
});

test('reports a gap, a missing end and a different head', async () => {
  const events = chainOf(6);
  expect(await follow(events.filter(({ position }) => position !== 4)).result).toEqual({
    position: 4,
    message: '#4 is missing: #5 follows #3',
  });
  expect(await follow(events.slice(0, 4), events[5]).result).toEqual({
    position: 5,
    message: '#5 is missing',
  });
  const other = { ...(events[5] as Event), hash: 'f'.repeat(64) };
  expect(await follow(events, other).result).toMatchObject({ position: 6 });
});

test('accepts an empty ledger', async () => {
  expect(await follow([]).result).toEqual({ position: 0, hash: '0'.repeat(64), head: 0 });
});
