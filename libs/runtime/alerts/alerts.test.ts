import { type AlertReceiver, startAlertReceiver } from '@reelbook/testing/alert-receiver';
import { read } from '@reelbook/testing/repository';
import { WAIT } from '@reelbook/testing/wait';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { webhookOf } from '../alert-settings.ts';
import { openLog } from '../log.ts';
import { openMetrics } from '../metrics.ts';
import { readSettings, SettingsError } from '../settings.ts';
import { messageOf, startAlerts } from './alerts.ts';
import { type Condition, conditionOf, type Problem } from './condition.ts';
import { openOutbox } from './outbox.ts';
import { signatureOf, type Webhook } from './webhook.ts';

const FAST = { roundEveryMs: 5, retryMinMs: 1, retryMaxMs: 5 };
const SINCE = '2026-11-23T12:00:00.000Z';

let receiver: AlertReceiver;
let webhook: Webhook;
const logged: string[] = [];
const log = openLog({
  name: 'test',
  level: 'trace',
  sink: { write: (line) => void logged.push(line) },
});
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  receiver = await startAlertReceiver();
  closers.push(receiver.close);
  const found = webhookOf(readSettings([], receiver.environment));
  if (!found) throw new Error('a receiver is set');
  webhook = found;
  logged.length = 0;
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  const { ALERT_WEBHOOK_SECRET: secret } = receiver.environment;
  const secrets = [secret, secret.slice(6), webhook.secret.toString('hex'), 'hidden-token'];
  expect(secrets.filter((one) => logged.join().includes(one))).toEqual([]);
  expect(receiver.forged).toEqual([]);
});

/** A condition whose problems a test sets; an error: unknown. */
function settable(name = 'tested', afterMs = 0) {
  let problems: readonly Problem[] | Error = [];
  let evaluations = 0;
  const condition: Condition = {
    ...{ name, afterMs },
    async find() {
      evaluations++;
      if (problems instanceof Error) throw problems;
      return problems;
    },
  };
  return {
    condition,
    set(next: readonly Problem[] | Error) {
      problems = next;
      evaluations = 0;
    },
    rounds: (count: number) =>
      vi.waitFor(() => expect(evaluations).toBeGreaterThanOrEqual(count), WAIT),
  };
}

function start(
  conditions: readonly Condition[],
  timing: Parameters<typeof startAlerts>[0]['timing'] = {},
) {
  const alerts = startAlerts({
    ...{ service: 'gateway', webhook, conditions, log },
    timing: { ...FAST, ...timing },
  });
  closers.push(alerts.close);
  return alerts;
}

const received = (...types: readonly string[]) =>
  vi.waitFor(() => expect(receiver.alerts.map(({ type }) => type)).toEqual(types), WAIT);

const metric = async (registry: { metrics(): Promise<string> }, name: string) =>
  Number(new RegExp(`^reelbook_${name}.* (\\d+)$`, 'm').exec(await registry.metrics())?.[1] ?? 0);

test('signs as the published example of Standard Webhooks', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  expect(signatureOf(secret, message, 1_614_265_330)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('a problem is sent once, and resolved once when it is gone in three rounds', async () => {
  const one = settable();
  const { registry } = start([one.condition]);
  one.set([{ text: 'the clocks differ', facts: { seconds: 40 } }]);
  await received('alert.opened');
  await one.rounds(3);
  expect(await metric(registry, 'alerts_open')).toBe(1);
  one.set(new Error('the database is away'));
  await one.rounds(6);
  expect(await metric(registry, 'alerts_open')).toBe(1);
  one.set([]);
  await received('alert.opened', 'alert.resolved');
  await one.rounds(4);
  await received('alert.opened', 'alert.resolved');
  expect(await metric(registry, 'alerts_open')).toBe(0);
  const [opened, resolved] = receiver.alerts;
  expect(opened?.data).toEqual({
    ...{ alert: 'tested', subject: null, service: 'gateway', instance: expect.any(String) },
    ...{ text: 'the clocks differ', facts: { seconds: 40 }, since: expect.any(String) },
  });
  expect(resolved?.data).toEqual(opened?.data);
  expect(resolved?.id).not.toBe(opened?.id);
});

test('a problem that is gone for two rounds is not resolved', async () => {
  let round = 0;
  // In a third of the rounds.
  start([{ name: 'tested', find: () => (round++ % 3 === 0 ? [{ text: 'a problem' }] : []) }]);
  await vi.waitFor(() => expect(round).toBeGreaterThan(12), WAIT);
  await received('alert.opened');
});

test('problems of one condition are alerts of their own; one that must last is not sent early', async () => {
  const [many, late] = [settable('projection-stopped'), settable('late', 600_000)];
  start([late.condition, many.condition]);
  late.set([{ text: 'for a short time' }]);
  many.set([
    { subject: 'seeds', text: 'one' },
    { subject: 'entries', text: 'two' },
  ]);
  await received('alert.opened', 'alert.opened');
  many.set([{ subject: 'entries', text: 'two' }]);
  await received('alert.opened', 'alert.opened', 'alert.resolved');
  expect(receiver.alerts.map(({ data }) => data.subject)).toEqual(['seeds', 'entries', 'seeds']);
  late.set([]);
  await late.rounds(3);
  expect(receiver.requests).toHaveLength(3);
});

test('an open alert is repeated as a reminder, each with its own id', async () => {
  const one = settable();
  start([one.condition], { remindEveryMs: 200 });
  const since = new Date().toISOString();
  one.set([{ text: 'withdrawals wait: 1', since }]);
  await received('alert.opened');
  one.set([{ text: 'withdrawals wait: 2', since }]);
  const reminder = { type: 'alert.reminder', data: { text: 'withdrawals wait: 2' } };
  // Reminders of the first text may have been sent before.
  await vi.waitFor(
    () => expect(receiver.alerts.slice(-2)).toMatchObject([reminder, reminder]),
    WAIT,
  );
  expect(receiver.alerts.slice(1).every(({ type }) => type === 'alert.reminder')).toBe(true);
  expect(new Set(receiver.requests).size).toBe(receiver.requests.length);
});

test('two processes, and one after a restart, send the same id for a problem with a time from the database', async () => {
  const [one, two, own] = [settable(), settable(), settable('clocks')];
  const first = start([one.condition]);
  start([two.condition]);
  one.set([{ text: 'the audit has findings', since: SINCE }]);
  two.set([{ text: 'the audit has findings', since: SINCE }]);
  await received('alert.opened', 'alert.opened');
  await first.close();
  start([one.condition, own.condition]);
  await received('alert.opened', 'alert.opened', 'alert.opened');
  expect(new Set(receiver.requests).size).toBe(1);
  expect(receiver.alerts[0]?.data).toMatchObject({ since: SINCE, instance: null });
  own.set([{ text: 'the clocks differ' }]);
  await vi.waitFor(() => expect(receiver.alerts).toHaveLength(4), WAIT);
  expect(new Set(receiver.requests).size).toBe(2);
});

test('a readiness check is a condition; one without delay ignores a rejection', async () => {
  const away = () => Promise.reject(new Error('away'));
  expect(conditionOf({ name: 'bus', check: away })).toMatchObject({ name: 'bus', afterMs: 60_000 });
  expect(await conditionOf({ name: 'bus', check: away })?.find()).toEqual([{ text: 'away' }]);
  const clocks = conditionOf({ name: 'clocks', alertAfterMs: 0, check: away });
  await expect(clocks?.find()).rejects.toThrow('away');
  expect(conditionOf({ name: 'other', alertAfterMs: null, check: away })).toBeNull();
});

test('retries after 500, a redirect and a timeout, with the same id; a redirect is not followed', async () => {
  const elsewhere = await startAlertReceiver();
  closers.push(elsewhere.close);
  const one = settable();
  const { registry } = start([one.condition], { timeoutMs: 2_000 });
  receiver.respond((response) => response.writeHead(500).end());
  one.set([{ text: 'a problem' }]);
  await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(1), WAIT);
  receiver.respond((response) => response.writeHead(307, { location: elsewhere.url }).end());
  const before = receiver.requests.length;
  await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(before + 1), WAIT);
  receiver.respond(() => {});
  const failed = receiver.requests.length;
  await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(failed + 1), WAIT);
  expect(receiver.alerts).toEqual([]);
  receiver.respond(null);
  await received('alert.opened');
  expect(new Set(receiver.requests).size).toBe(1);
  expect(elsewhere.requests).toEqual([]);
  expect(await metric(registry, 'alert_failed_attempts_total')).toBe(receiver.requests.length - 1);
  const faults = logged.filter((line) => line.includes('refused a message'));
  expect(faults).toEqual([expect.stringContaining('"fault":"HTTP 500"')]);
});

test('a receiver that hangs does not delay the rounds or the close', async () => {
  const one = settable();
  const { close } = start([one.condition], { timeoutMs: 600_000 });
  receiver.respond(() => {});
  one.set([{ text: 'a problem' }]);
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), WAIT);
  await one.rounds(5);
  await close();
  expect(receiver.requests).toHaveLength(1);
});

test('a condition that hangs is evaluated once, and does not delay the others or the close', async () => {
  let evaluations = 0;
  const hanging: Condition = {
    name: 'hanging',
    find() {
      evaluations++;
      return new Promise(() => {});
    },
  };
  const one = settable();
  const { close } = start([hanging, one.condition], { evaluateMaxMs: 50 });
  one.set([{ text: 'a problem' }]);
  await received('alert.opened');
  await one.rounds(3);
  await close();
  expect(evaluations).toBe(1);
});

/** An outbox that a test fills. */
function fill(timing: Parameters<typeof openOutbox>[0]['timing']) {
  const registry = openMetrics('test');
  const outbox = openOutbox({ webhook, registry, log, timing: { ...FAST, ...timing } });
  closers.push(outbox.close);
  const add = (type: 'alert.opened' | 'alert.reminder' | 'alert.resolved', id: string) =>
    outbox.add({ type, id, body: JSON.stringify({ type }) });
  return { registry, add };
}

test('a full queue drops the oldest reminder, then the oldest resolution, never the newest opening', async () => {
  const { registry, add } = fill({ queueMax: 3 });
  receiver.respond((response) => response.writeHead(503).end());
  add('alert.opened', 'first');
  await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(0), WAIT);
  add('alert.resolved', 'resolved');
  add('alert.reminder', 'reminder');
  for (const id of ['second', 'third', 'fourth']) add('alert.opened', id);
  expect(await metric(registry, 'alert_queue_length')).toBe(3);
  expect(await metric(registry, 'alert_messages_total.*dropped')).toBe(3);
  receiver.respond(null);
  await vi.waitFor(
    () => expect(receiver.alerts.map(({ id }) => id)).toEqual(['first', 'third', 'fourth']),
    WAIT,
  );
  // Counted after the response, so later than the receiver has the message.
  await vi.waitFor(
    async () => expect(await metric(registry, 'alert_messages_total.*sent')).toBe(3),
    WAIT,
  );
});

test.each([
  ['attempts', { attemptsMax: 3 }],
  ['age', { ageMaxMs: 2_000, attemptsMax: 1_000_000 }],
])('a message is dropped after the maximum %s, and the next one is sent', async (_, timing) => {
  const { registry, add } = fill(timing);
  receiver.respond((response) => response.writeHead(503).end());
  add('alert.opened', 'first');
  await vi.waitFor(
    async () => expect(await metric(registry, 'alert_messages_total.*dropped')).toBe(1),
    WAIT,
  );
  if (timing.attemptsMax === 3) expect(receiver.requests).toEqual(['first', 'first', 'first']);
  receiver.respond(null);
  add('alert.opened', 'second');
  await vi.waitFor(() => expect(receiver.alerts.map(({ id }) => id)).toEqual(['second']), WAIT);
});

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
test.each([
  ['https://hooks.example/T0/secret', SECRET],
  ['http://127.0.0.1:9000/', SECRET],
  ['http://[::1]:9000/', SECRET],
  ['http://10.1.2.3/', SECRET],
  ['http://receiver:9000/alerts', SECRET],
])('accepts %s', (url, secret) => {
  const environment = { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret };
  expect(webhookOf(readSettings([], environment))?.url).toBe(url);
});

test.each([
  ['http://hooks.example/T0/hidden', SECRET, 'ALERT_WEBHOOK_URL must be'],
  ['http://134744072/hidden', SECRET, 'ALERT_WEBHOOK_URL must be'],
  ['https://user:hidden@hooks.example/', SECRET, 'ALERT_WEBHOOK_URL must be'],
  ['file:///hidden', SECRET, 'ALERT_WEBHOOK_URL must be'],
  ['https://hooks.example/hidden', '', 'must be set together'],
  ['', SECRET, 'must be set together'],
  ['https://hooks.example/hidden', 'whsec_aGlkZGVu', 'ALERT_WEBHOOK_SECRET must be whsec_'],
  ['https://hooks.example/hidden', 'hidden', 'ALERT_WEBHOOK_SECRET must be whsec_'],
])('refuses %s with secret %s without repeating it', (url, secret, why) => {
  const environment = { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret };
  let message = '';
  try {
    readSettings([], environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    message = String(error);
  }
  expect(message).toContain(why);
  expect(message).not.toMatch(/hidden|aGlkZGVu/);
});

test('the example of docs/operations.md is a message as it is sent', () => {
  const [, example = ''] = /```json\n([^`]+)```/.exec(read('docs/operations.md')) ?? [];
  const documented = JSON.parse(example);
  const { data } = documented;
  const { service, ...found } = data;
  const sent = JSON.parse(messageOf({ ...webhook, service }, documented.type, found).body);
  expect({ ...sent, timestamp: documented.timestamp }).toEqual(documented);
  expect(Object.keys(sent.data)).toEqual(Object.keys(data));
});
