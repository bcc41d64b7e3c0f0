import { describe, expect, test } from 'vitest';
import { readClientMessage } from './socket.ts';

describe('a client message', () => {
  test('is a ping', () => {
    expect(readClientMessage('{"type":"ping","timestamp":1}')).toEqual({ type: 'ping' });
  });

  test.each([
    '{"type":"subscribe","data":{"channel":"user_events"}}',
    '{"type":"subscribe","data":"user_events","timestamp":1}',
  ])('accepts both forms of a subscription: %s', (text) => {
    expect(readClientMessage(text)).toEqual({ type: 'subscribe', from: null });
  });

  test('accepts a subscription from a version', () => {
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
  ])('rejects %s', (text) => {
    expect(readClientMessage(text)).toBeNull();
  });
});
