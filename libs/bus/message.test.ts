import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage, subjectOf } from './message.ts';

const message = {
  kind: 'player',
  id: 'anna',
  firstPosition: 7,
  lastPosition: 8,
  firstVersion: 3,
  lastVersion: 4,
  bodies: ['{"text":"line\\nbreak"}', '{}'],
  hashes: ['ab', 'cd'],
};

function overTheWire(change: Record<string, string> = {}) {
  const { headers, payload } = encodeMessage(message);
  const held = new Map([...headers, ...Object.entries(change)]);
  return decodeMessage({ subject: subjectOf(message), header: (name) => held.get(name), payload });
}

test('a message comes back as it went', () => {
  expect(overTheWire()).toEqual(message);
});

test('what no publisher of ours has sent is nothing', () => {
  expect(overTheWire({ 'Last-Position': '9' })).toBeNull();
  expect(overTheWire({ 'First-Position': 'x' })).toBeNull();
  const header = () => undefined;
  expect(
    decodeMessage({ subject: 'ledger.player.a', header, payload: Buffer.from('x') }),
  ).toBeNull();
  expect(decodeMessage({ subject: 'ledger', header, payload: Buffer.from('null') })).toBeNull();
});

test('an id that is more than one token makes no subject', () => {
  for (const id of ['', 'a.b', '*', '>', 'a b']) {
    expect(() => subjectOf({ kind: 'player', id })).toThrow();
  }
});
