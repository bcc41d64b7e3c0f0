/**
 * Evaluates the conditions of a process and sends what changes: a problem opens an alert, is repeated as a reminder, and is
 * resolved when it is gone in three rounds. Nothing is stored: after a restart, open problems are found and sent again, with
 * the same id if the problem has a time from the database. What was resolved while the process was down is not sent.
 */
import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '../alarm.ts';
import type { Logger } from '../log.ts';
import { Gauge, openMetrics, type Registry } from '../metrics.ts';
import type { Condition, Problem } from './condition.ts';
import { type MessageType, type OutboxTiming, openOutbox } from './outbox.ts';
import { deliver, type Message, type Webhook } from './webhook.ts';

const TIMING = {
  roundEveryMs: 5_000,
  remindEveryMs: 6 * 3_600_000,
  /** Of one evaluation; later the result is unknown. */
  evaluateMaxMs: 10_000,
};
/** Rounds without the problem until it is resolved: a problem that comes and goes is one alert. */
const CLEAR_ROUNDS = 3;
const TEXT_LENGTH_MAX = 2_000;
/** Pauses before the attempts of a command. */
const COMMAND_RETRIES_MS = [0, 1_000, 3_000];

interface Source {
  readonly service: string;
  readonly secret: Buffer;
}

interface Found extends Problem {
  readonly alert: string;
  readonly since: string;
  /** Null for a problem that all processes see. */
  readonly instance: string | null;
}

/** `repeat`: the number of the reminder. The id depends on what is reported, and not on who reports it. */
export function messageOf(
  { service, secret }: Source,
  type: MessageType,
  { alert, subject, since, instance, text, facts = {} }: Found,
  repeat = 0,
): Message & { readonly type: MessageType } {
  const identity = JSON.stringify([type, alert, subject ?? null, since, instance, repeat]);
  const id = `msg_${createHmac('sha256', secret).update(identity).digest('hex').slice(0, 32)}`;
  const shown = text.slice(0, TEXT_LENGTH_MAX);
  const about = { alert, subject: subject ?? null, service };
  const data = { ...about, instance, text: shown, facts, since };
  return { id, type, body: JSON.stringify({ type, timestamp: new Date().toISOString(), data }) };
}

/** Sends a single alert of a command, at most three times. @returns null, or why the receiver did not accept it. */
export async function sendAlert(
  { url, secret }: Webhook,
  type: MessageType,
  { alert, text }: { readonly alert: string; readonly text: string },
): Promise<string | null> {
  const found = { alert, text, since: new Date().toISOString(), instance: null };
  const message = messageOf({ service: 'command', secret }, type, found);
  let fault: string | null = null;
  for (const retryMs of COMMAND_RETRIES_MS) {
    await sleep(retryMs);
    fault = await deliver({ url, secret }, message, {});
    if (fault === null) return null;
  }
  return fault;
}

interface Open {
  found: Found;
  readonly seenAtMs: number;
  isSent: boolean;
  repeats: number;
  clearRounds: number;
}

export interface Alerts {
  readonly registry: Registry;
  close(): Promise<void>;
}

/** Starts the rounds. `conditions` may grow while the process starts. */
export function startAlerts(o: {
  readonly service: string;
  readonly webhook: Webhook;
  readonly conditions: readonly Condition[];
  readonly log: Logger;
  readonly timing?: Partial<typeof TIMING & OutboxTiming>;
}): Alerts {
  const { service, webhook, conditions, log } = o;
  const timing = { ...TIMING, ...o.timing };
  const instance = `${hostname()}-${process.pid}`;
  const closing = new AbortController();
  const open = new Map<Condition, Map<string, Open>>();
  const running = new Set<Condition>();
  const registry = openAlertMetrics(service, () =>
    [...open].flatMap(([{ name }, all]) => [...all.values()].map((one) => [name, one.isSent])),
  );
  const outbox = openOutbox({ webhook, registry, log, timing });

  function send(type: MessageType, { found, repeats }: Open): void {
    const { alert, subject, text } = found;
    if (type === 'alert.opened') log.warn({ alert, subject, problem: text }, 'alert opened');
    if (type === 'alert.resolved') log.info({ alert, subject }, 'alert resolved');
    outbox.add(messageOf({ service, secret: webhook.secret }, type, found, repeats));
  }

  /** Null: unknown. */
  async function evaluate(condition: Condition): Promise<readonly Problem[] | null> {
    if (running.has(condition)) return null;
    running.add(condition);
    const finding = Promise.resolve()
      .then(() => condition.find())
      .catch((error: unknown) => {
        log.debug({ err: error, alert: condition.name }, 'a condition could not be evaluated');
        return null;
      })
      .finally(() => running.delete(condition));
    const late = new AbortController();
    const signal = AbortSignal.any([late.signal, closing.signal]);
    const timeout = pause(timing.evaluateMaxMs, signal).then(() => null);
    return Promise.race([finding, timeout]).finally(() => late.abort());
  }

  function see(all: Map<string, Open>, condition: Condition, problem: Problem): void {
    const key = problem.subject ?? '';
    const [nowMs, seenAtMs] = [Date.now(), performance.now()];
    const before = all.get(key);
    const since = before?.found.since ?? problem.since ?? new Date(nowMs).toISOString();
    const shared = problem.since === undefined ? instance : null;
    const found = { ...problem, alert: condition.name, since, instance: shared };
    const one = before ?? { found, seenAtMs, isSent: false, repeats: 0, clearRounds: 0 };
    all.set(key, Object.assign(one, { found, clearRounds: 0 }));
    // By the time of the problem, so that several processes send the same reminder.
    const repeats = Math.max(0, Math.floor((nowMs - Date.parse(since)) / timing.remindEveryMs));
    if (!one.isSent) {
      if (seenAtMs - one.seenAtMs < (condition.afterMs ?? 0)) return;
      one.isSent = true;
      send('alert.opened', one);
      one.repeats = repeats;
    } else if (repeats > one.repeats) {
      one.repeats = repeats;
      send('alert.reminder', one);
    }
  }

  function miss(all: Map<string, Open>, key: string, one: Open): void {
    if (++one.clearRounds < CLEAR_ROUNDS && one.isSent) return;
    all.delete(key);
    one.repeats = 0;
    if (one.isSent) send('alert.resolved', one);
  }

  async function watch(condition: Condition): Promise<void> {
    const problems = await evaluate(condition);
    if (problems === null || closing.signal.aborted) return;
    const all = open.get(condition) ?? new Map<string, Open>();
    open.set(condition, all);
    for (const problem of problems) see(all, condition, problem);
    const current = new Set(problems.map(({ subject = '' }) => subject));
    for (const [key, one] of [...all]) if (!current.has(key)) miss(all, key, one);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await Promise.all(conditions.map(watch));
      await pause(timing.roundEveryMs, closing.signal);
    }
  }

  const rounds = run();
  return {
    registry,
    async close() {
      closing.abort();
      await Promise.all([rounds, outbox.close()]);
    },
  };
}

export function openAlertMetrics(
  service: string,
  read: () => readonly (readonly [alert: string, isOpen: boolean])[],
): Registry {
  const registry = openMetrics(service);
  new Gauge({
    name: 'reelbook_alerts_open',
    help: 'Open alerts of this process, if ALERT_WEBHOOK_URL is set',
    labelNames: ['alert'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [alert, isOpen] of read()) if (isOpen) this.inc({ alert });
    },
  });
  return registry;
}
