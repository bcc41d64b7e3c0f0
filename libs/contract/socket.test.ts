import { describe, expect, test } from 'vitest';
import { readClientMessage } from './socket.ts';

describe('a message of a client', () => {
  test('is a ping', () => {
    expect(readClientMessage('{"type":"ping","timestamp":1}')).toEqual({ type: 'ping' });
  });

  test.each([
    '{"type":"subscribe","data":{"channel":"user_events"}}',
    '{"type":"subscribe","data":"user_events","timestamp":1}',
  ])('is a subscription in both of its forms: %s', (text) => {
    expect(readClientMessage(text)).toEqual({ type: 'subscribe', from: null });
  });

  test('is a subscription from a version on', () => {
    const text = '{"type":"subscribe","data":{"channel":"user_events","stream_version":7}}';
    expect(readClientMessage(text)).toEqual({ type: 'subscribe', from: 7 });
  });

  test.each([
    '',
    'ping',
    'null',
    '[]',
    '{}',
    '{"type":"subscribe"}',
    '{"type":"subscribe","data":null}',
    '{"type":"subscribe","data":{"channel":"all"}}',
    '{"type":"subscribe","data":{"channel":"user_events","stream_version":-1}}',
    '{"type":"subscribe","data":{"channel":"user_events","stream_version":"7"}}',
    '{"type":"subscribe","data":{"channel":"user_events","stream_version":1e300}}',
    '{"type":"publish","data":"user_events"}',
    '{"type":{"type":"ping"}}',
  ])('is nothing else: %s', (text) => {
    expect(readClientMessage(text)).toBeNull();
  });
});
