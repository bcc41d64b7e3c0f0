/**
 * Sends messages one by one, in order. A message is retried with growing pauses until the receiver accepts it, or until the
 * bounds of attempts and age; then it is dropped. The queue is bounded: if it is full, the oldest reminder is dropped, else
 * the oldest resolution, else the oldest opening.
 */
import { createAlarm, pause } from '../alarm.ts';
import { Counter, Gauge, type Registry } from '../metrics.ts';
import { deliver, type Message, type Webhook } from './webhook.ts';

const TIMING = {
  timeoutMs: 10_000,
  retryMinMs: 1_000,
  retryMaxMs: 300_000,
  ageMaxMs: 6 * 3_600_000,
  attemptsMax: 50,
  queueMax: 100,
};
export type OutboxTiming = typeof TIMING;

const DROPPED_FIRST = ['alert.reminder', 'alert.resolved', 'alert.opened'] as const;
export type MessageType = (typeof DROPPED_FIRST)[number];

interface Queued extends Message {
  readonly type: MessageType;
  readonly addedAtMs: number;
}

export interface Outbox {
  add(message: Message & { readonly type: MessageType }): void;
  /** Resolves when nothing is being sent; queued messages are lost. */
  close(): Promise<void>;
}

export function openOutbox(o: {
  readonly webhook: Webhook;
  readonly registry: Registry;
  readonly log: {
    warn(about: object, text: string): void;
    info(about: object, text: string): void;
  };
  readonly timing?: Partial<OutboxTiming>;
}): Outbox {
  const { webhook, log } = o;
  const timing = { ...TIMING, ...o.timing };
  const alarm = createAlarm();
  const closing = new AbortController();
  const { signal } = closing;
  const queue: Queued[] = [];
  const counts = measureOutbox(o.registry, queue);
  let isSending = false;
  let isFailing = false;
  let retryMs = timing.retryMinMs;

  function makeRoom(): void {
    if (queue.length <= timing.queueMax) return;
    const droppable = isSending ? queue.slice(1) : queue;
    const type = DROPPED_FIRST.find((one) => droppable.some((message) => message.type === one));
    const victim = droppable.find((message) => message.type === type);
    if (victim) drop(victim);
  }

  function drop(victim: Queued): void {
    queue.splice(queue.indexOf(victim), 1);
    counts.messages.inc({ result: 'dropped' });
  }

  /** Until the message is accepted or dropped. */
  async function send(message: Queued): Promise<void> {
    for (let attempts = 1; !signal.aborted; attempts++) {
      const fault = await deliver(webhook, message, { signal, timeoutMs: timing.timeoutMs });
      if (signal.aborted) return;
      if (fault === null) {
        if (isFailing) log.info({}, 'the alert webhook accepts messages again');
        isFailing = false;
        retryMs = timing.retryMinMs;
        queue.splice(queue.indexOf(message), 1);
        return counts.messages.inc({ result: 'sent' });
      }
      counts.failures.inc();
      if (!isFailing) log.warn({ fault }, 'the alert webhook refused a message; retrying');
      isFailing = true;
      const isOver =
        attempts >= timing.attemptsMax || performance.now() - message.addedAtMs > timing.ageMaxMs;
      if (isOver) drop(message);
      // Half of it at random: the processes of a site do not retry at the same time.
      await pause(retryMs * (0.5 + Math.random() / 2), signal);
      retryMs = Math.min(retryMs * 2, timing.retryMaxMs);
      if (isOver) return;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const [message] = queue;
      isSending = message !== undefined;
      if (message) await send(message);
      else await alarm.wait(timing.ageMaxMs);
    }
  }

  const running = run();
  return {
    add(message) {
      queue.push({ ...message, addedAtMs: performance.now() });
      makeRoom();
      alarm.ring();
    },
    async close() {
      closing.abort();
      alarm.ring();
      await running;
    },
  };
}

export function measureOutbox(registry: Registry, queue: readonly unknown[]) {
  const registers = [registry];
  new Gauge({
    name: 'reelbook_alert_queue_length',
    help: 'Messages to the alert webhook that are not yet accepted',
    registers,
    collect() {
      this.set(queue.length);
    },
  });
  const messages = new Counter({
    name: 'reelbook_alert_messages_total',
    help: 'Messages to the alert webhook by result: sent, or dropped (queue full, too old, or too many attempts)',
    labelNames: ['result'],
    registers,
  });
  const failures = new Counter({
    name: 'reelbook_alert_failed_attempts_total',
    help: 'Attempts that the alert webhook refused or did not respond to',
    registers,
  });
  return { messages, failures };
}
