import { message, range, textsOf } from '@reelbook/testing/messages';
import { expect, test } from 'vitest';
import {
  BATCH_MAX_BYTES,
  COMMANDS_PER_BATCH_MAX,
  type LedgerCommand,
  packBatches,
  readBatch,
} from './bus.ts';

function overTheWire(commands: readonly LedgerCommand[]) {
  return packBatches(commands).map(({ payload }) => {
    expect(payload.length).toBeLessThanOrEqual(BATCH_MAX_BYTES);
    const batch = readBatch(payload);
    if (!batch) throw new Error('a batch of ours can be read');
    return batch;
  });
}

/** A message with a changed first line. */
function changed(change: object, texts = '{}'): Buffer {
  const hash = 'ab'.repeat(32);
  const line = { first: 7, last: 7, previous: hash, hash, commands: [['player-anna', 2]] };
  return Buffer.from(`${JSON.stringify({ ...line, ...change })}\n${texts}`);
}

test('commands are decoded as they were encoded, several per message', () => {
  const commands = range(7, 2 * COMMANDS_PER_BATCH_MAX + 1);
  const batches = overTheWire(commands);
  expect(batches.map((batch) => batch.commands.length)).toEqual([128, 128, 1]);
  expect(batches.flatMap((batch) => batch.texts().map(String))).toEqual(textsOf(commands));
  expect(batches[1]).toMatchObject({
    firstPosition: 263,
    lastPosition: 518,
    previousHash: commands[127]?.hash,
    hash: commands[255]?.hash,
  });
  expect(batches[1]?.commands[1]).toEqual({
    stream: 'player-anna',
    firstPosition: 265,
    lastPosition: 266,
  });
});

test('a message has at most the maximum of bytes', () => {
  const bodies = ['ü'.repeat(40_000), '{}'];
  const commands = range(1, 9).map((command) => ({ ...command, bodies }));
  expect(overTheWire(commands).map((batch) => batch.commands.length)).toEqual([3, 3, 3]);
});

test('a command that is too large travels as its position', () => {
  const large = { ...message(3), bodies: ['x'.repeat(BATCH_MAX_BYTES), '{}'] };
  const batches = overTheWire([message(1), large, message(5)]);
  expect(batches.map(({ firstPosition, lastPosition }) => [firstPosition, lastPosition])).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  expect(batches[1]?.texts()).toEqual([]);
  expect(batches[1]?.commands).toEqual([
    { stream: 'player-anna', firstPosition: 3, lastPosition: 4 },
  ]);
});

test('a command that is incomplete or follows no other is refused', () => {
  const follows = /does not follow/;
  expect(() => packBatches([{ ...message(1), bodies: [] }])).toThrow(follows);
  expect(() => packBatches([{ ...message(1), stream: 'a.b' }])).toThrow(follows);
  expect(() => packBatches([{ ...message(1), hash: '' }])).toThrow(follows);
  expect(() => packBatches([message(1), message(5)])).toThrow(follows);
  expect(() => packBatches([message(1), { ...message(3), previousHash: 'x' }])).toThrow(follows);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['no line', Buffer.from('x')],
  ['no JSON', Buffer.from('x\n{}')],
  ['null', Buffer.from('null\n')],
  ['a number', Buffer.from('7\n')],
  ['brackets without end', Buffer.from('['.repeat(200_000))],
  [
    'too many bytes',
    changed({ commands: [['player-a', BATCH_MAX_BYTES]] }, 'x'.repeat(BATCH_MAX_BYTES)),
  ],
  ['more texts than it names', changed({}, '{}x')],
  ['fewer texts than it names', changed({}, '{')],
  ['another last position', changed({ last: 8 })],
  ['a position that is none', changed({ first: 0, last: 0 })],
  ['a position beyond all numbers', changed({ first: 2 ** 60, last: 2 ** 60 })],
  ['a position as text', changed({ first: '7' })],
  ['a hash that is none', changed({ hash: 'xy' })],
  ['hashes in a list', changed({ hash: ['ab'.repeat(32)] })],
  ['no commands', changed({ commands: [] })],
  ['commands that are none', changed({ commands: 'player' })],
  ['a command that is none', changed({ commands: [7] })],
  ['a stream that is none', changed({ commands: [['*', 2]] })],
  ['a stream in a list', changed({ commands: [[['player-anna'], 2]] })],
  ['a length of nothing', changed({ commands: [['player-anna', 2, 0]], last: 8 })],
  ['a negative length', changed({ commands: [['player-anna', 4, -2]], last: 8 })],
  ['a command without events among others', changed({ commands: [['player-a', 2], ['player-b']] })],
  [
    'too many commands',
    changed({ commands: Array(129).fill(['player-a', 1]), last: 135 }, 'x'.repeat(129)),
  ],
])('%s is no batch', (_what, payload) => {
  expect(readBatch(payload)).toBeNull();
});
