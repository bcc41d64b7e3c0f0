import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LiveMessage, openLiveChannel } from './live.ts';

/** A fake of the browser's socket, which the test opens and closes. */
class HandSocket {
  static all: HandSocket[] = [];
  sent: { type: string; data: unknown; timestamp: unknown }[] = [];
  closedWith: number | undefined;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    HandSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close(code: number) {
    this.closedWith = code;
  }
}

const last = () => HandSocket.all.at(-1) as HandSocket;
const drop = (code = 1006) => last().onclose?.({ code });

function open(resumeFrom: number | null = null) {
  const messages: LiveMessage[] = [];
  const onDeadToken = vi.fn();
  const channel = openLiveChannel({
    url: 'ws://test/ws?token=t',
    onMessage: (message) => messages.push(message),
    onDeadToken,
    resumeFrom: () => resumeFrom,
    connect: () => new HandSocket() as unknown as WebSocket,
  });
  return { channel, messages, onDeadToken };
}

beforeEach(() => {
  HandSocket.all = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('subscribes on open and pings every 30 seconds', () => {
  const { channel } = open();
  last().onopen?.();
  expect(channel.state.get()).toBe('live');
  expect(last().sent).toMatchObject([{ type: 'subscribe', data: { channel: 'user_events' } }]);
  vi.advanceTimersByTime(60_000);
  expect(
    last()
      .sent.slice(1)
      .map(({ type }) => type),
  ).toEqual(['ping', 'ping']);
  expect(typeof last().sent[1]?.timestamp).toBe('number');
});

test('tries five times, after 3, 6, 12, 24 and 48 seconds, then gives up', () => {
  const { channel } = open();
  for (const waitS of [3, 6, 12, 24, 48]) {
    const before = HandSocket.all.length;
    drop();
    expect(channel.state.get()).toBe('retrying');
    vi.advanceTimersByTime(waitS * 1000 - 1);
    expect(HandSocket.all).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(HandSocket.all).toHaveLength(before + 1);
  }
  drop();
  expect(channel.state.get()).toBe('lost');
  vi.advanceTimersByTime(3_600_000);
  expect(HandSocket.all).toHaveLength(6);
});

test('a subscription resets the count of attempts; an opened connection alone does not', () => {
  open();
  drop();
  vi.advanceTimersByTime(3_000);
  last().onopen?.();
  drop();
  vi.advanceTimersByTime(3_000);
  expect(HandSocket.all).toHaveLength(2);
  vi.advanceTimersByTime(3_000);
  expect(HandSocket.all).toHaveLength(3);
  last().onopen?.();
  last().onmessage?.({ data: '{"type":"subscribed","data":{}}' });
  drop();
  vi.advanceTimersByTime(3_000);
  expect(HandSocket.all).toHaveLength(4);
});

test('after code 1000 it does not retry', () => {
  const { channel, onDeadToken } = open();
  drop(1000);
  vi.advanceTimersByTime(3_600_000);
  expect(HandSocket.all).toHaveLength(1);
  expect(channel.state.get()).toBe('closed');
  expect(onDeadToken).not.toHaveBeenCalled();
});

test('an invalid token ends it and is reported', () => {
  const { onDeadToken } = open();
  drop(4401);
  vi.advanceTimersByTime(3_600_000);
  expect(HandSocket.all).toHaveLength(1);
  expect(onDeadToken).toHaveBeenCalledOnce();
});

test('Reconnect starts a new count after the last attempt, and ends a wait early', () => {
  const { channel } = open();
  drop();
  channel.reconnect();
  expect(HandSocket.all).toHaveLength(2);
  vi.advanceTimersByTime(3_600_000);
  expect(HandSocket.all).toHaveLength(2);
  last().onopen?.();
  channel.reconnect();
  expect(HandSocket.all).toHaveLength(2);
});

test('sends the last version that it received, to get what it missed', () => {
  open(41);
  last().onopen?.();
  expect(last().sent[0]?.data).toEqual({ channel: 'user_events', stream_version: 41 });
});

test('a page that becomes visible again retries once, and the attempts stay used up', () => {
  const { channel } = open();
  for (const waitS of [3, 6, 12, 24, 48]) {
    drop();
    vi.advanceTimersByTime(waitS * 1000);
  }
  drop();
  expect(channel.state.get()).toBe('lost');
  channel.tryOnce();
  expect(HandSocket.all).toHaveLength(7);
  expect(channel.state.get()).toBe('connecting');
  drop();
  expect(channel.state.get()).toBe('lost');
  vi.advanceTimersByTime(3_600_000);
  expect(HandSocket.all).toHaveLength(7);
});

test('closing ends pings and attempts', () => {
  const { channel } = open();
  last().onopen?.();
  channel.close();
  expect(last().closedWith).toBe(1000);
  drop(1000);
  vi.advanceTimersByTime(3_600_000);
  expect(HandSocket.all).toHaveLength(1);
  expect(last().sent).toHaveLength(1);
});

test('passes on messages that it knows and ignores invalid ones', () => {
  const { messages } = open();
  for (const data of ['{', '7', 'null', '{"data":1}', '{"type":1}', new ArrayBuffer(1)]) {
    last().onmessage?.({ data });
  }
  last().onmessage?.({ data: '{"type":"pong","data":{},"timestamp":1}' });
  expect(messages).toEqual([{ type: 'pong', data: {} }]);
});
