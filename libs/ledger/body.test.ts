import { describe, expect, test } from 'vitest';
import { readBody, tailsOf } from './codec.ts';

const meta = { command: 'c0', correlation: 'r1', actor: 'player:anna' };
const events = [
  { type: 'BetPlaced', data: { stakeMinor: 100n } },
  { type: 'BetLost', data: { round: 'a-1' } },
];
const bodiesOf = (stream: string) =>
  tailsOf(stream, { events, meta }).map(
    ({ type, tail }, i) =>
      `{"position":${i + 7},"stream":"${stream}","version":${i + 1},"type":"${type}","time":"t",${tail}`,
  );

describe('the sealed text of an event', () => {
  test('has the meta of its command once, without the player of the stream', () => {
    expect(bodiesOf('player-anna')).toEqual([
      '{"position":7,"stream":"player-anna","version":1,"type":"BetPlaced","time":"t",' +
        '"data":{"stakeMinor":"100"},"meta":{"command":"c0","correlation":"r1"}}',
      '{"position":8,"stream":"player-anna","version":2,"type":"BetLost","time":"t",' +
        '"data":{"round":"a-1"}}',
    ]);
  });

  test('is read with the player of the stream as actor, and without a meta where it has none', () => {
    expect(bodiesOf('player-anna').map((body) => readBody(body).meta)).toEqual([meta, null]);
  });

  test.each(['player-bert', 'config'])('has any other actor in %s', (stream) => {
    const [first = ''] = bodiesOf(stream);
    expect(first).toContain('"actor":"player:anna"}}');
    expect(readBody(first).meta).toEqual(meta);
  });
});
