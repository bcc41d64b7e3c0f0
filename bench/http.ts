/**
 * Full spins over HTTP (token, validation, draw, append, response with the new balance), in turn with an authenticated
 * echo and a hand-written service. Deferred work counts: a turn ends when every read model is at the head.
 */

import { openPool } from '@reelbook/event-store/db';
import { readLag } from '@reelbook/projections/lag';
import autocannon from 'autocannon';
import type pg from 'pg';
import { type Cost, readStored, reportBytes } from './cost.ts';
import { type CpuTimes, cpuBetween, type Processes, readCpuTimes } from './cpu.ts';
import { figure, quantile } from './measure.ts';
import { answeredShare, openLoop, openPosts, sustainedNote } from './open-loop.ts';
import { enter, openBaseline, openGateway, openStage } from './site.ts';

const CONNECTIONS = 64;
const BODY = JSON.stringify({ bet_amount: 1, lines: 25 });
/** A bet costs a gateway twice as much in its first 5,000 as after 15,000: by then Node has compiled it. */
const WARM_UP_S = 12;
/** The cost of a round on a machine that is not saturated. A turn that does not sustain it is marked. */
const FIXED_RATE = 250;
const DRAINED_POLL_MS = 10;
const post = openPosts(CONNECTIONS);

export interface HttpOptions {
  readonly seconds: number;
  readonly rounds: number;
  print(line: string): void;
}

interface Subject extends Processes {
  readonly name: string;
  readonly url: string;
  readonly tokens: readonly string[];
  /** Resolves when all work for the acknowledged requests is done. */
  drained(): Promise<void>;
}

interface Turn {
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly spins: number;
  /** At a fixed rate: the share of it that was answered, without the time until all read models are at the head. */
  readonly share: number;
  readonly cpu: CpuTimes;
  /** Write-ahead log in bytes. */
  readonly wal: number;
}

/** @returns spins per second with all services, the median of the rounds; with `fixedRate`, their cost. */
export async function benchHttp(
  options: HttpOptions & { readonly fixedRate: boolean },
): Promise<{ readonly rate: number; readonly cost: Cost | null }> {
  return withSubjects(async (subjects, stage) => {
    const before = await readStored(stage);
    for (const subject of subjects) await turn(subject, WARM_UP_S);
    const full = await inTurn(subjects, options);
    const { share: _, ...ratios } = report('at full rate', full, options.print);
    const rate = median(full.get('all services') ?? [], (one) => one.rate);
    if (!options.fixedRate) return { rate, cost: null };
    const compared = subjects.filter(({ name }) => name !== 'echo');
    const fixed = await inTurn(compared, options, FIXED_RATE);
    const how = `at ${FIXED_RATE} spins per second`;
    const { cpu: cpuAtFixedRate, share: answeredAtFixedRate } = report(how, fixed, options.print);
    await stage.pool.query('vacuum');
    const bytes = reportBytes(before, await readStored(stage), options.print);
    return { rate, cost: { ...ratios, cpuAtFixedRate, answeredAtFixedRate, ...bytes } };
  });
}

async function withSubjects<T>(
  act: (
    subjects: readonly Subject[],
    stage: { pool: pg.Pool; natsUrl: string | null },
  ) => Promise<T>,
): Promise<T> {
  const closers: (() => Promise<unknown>)[] = [];
  const opened = <O extends { close(): Promise<unknown> }>(one: O) => {
    closers.push(() => one.close());
    return one;
  };
  const openOwner = (url: string) => {
    const pool = openPool({ url, role: 'owner', max: 1, name: 'bench' });
    closers.push(() => pool.end());
    return pool;
  };
  try {
    const gateway = opened(await openGateway());
    const alone = openOwner(gateway.databaseUrl);
    await alone.query('create database hand_written');
    const url = Object.assign(new URL(gateway.databaseUrl), { pathname: '/hand_written' }).href;
    const echo = opened(await openBaseline([]));
    const handWritten = opened(await openBaseline([url, String(CONNECTIONS)]));
    const stage = opened(await openStage());
    const all = openOwner(stage.databaseUrl);
    const running = Object.fromEntries(stage.services.map((one) => [one.name, one.pid()]));
    const spin = '/api/v1/game/slot-machine/bet';
    const drained = async () => {};
    const subjects: Subject[] = [
      { name: 'echo', ...echo, services: { echo: echo.pid }, drained },
      {
        name: 'hand-written',
        ...handWritten,
        services: { service: handWritten.pid },
        pool: alone,
        drained,
      },
      {
        name: 'gateway alone',
        url: gateway.url + spin,
        tokens: await enter(gateway.url, CONNECTIONS),
        services: { gateway: gateway.pid() },
        pool: alone,
        drained,
      },
      {
        name: 'all services',
        url: stage.gateways[0] + spin,
        tokens: await enter(stage.gateways[0], CONNECTIONS),
        services: { ...running, NATS: stage.nats?.process?.pid() ?? null },
        pool: all,
        drained: () => untilDrained(all),
      },
    ];
    return await act(subjects, { pool: all, natsUrl: stage.natsUrl });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function untilDrained(pool: pg.Pool): Promise<void> {
  while ((await readLag(pool)).some(({ behindPositions }) => behindPositions > 0)) {
    await new Promise((resolve) => setTimeout(resolve, DRAINED_POLL_MS));
  }
}

/** Runs all subjects once, then all again, so that drift of the machine affects all of them. */
async function inTurn(
  subjects: readonly Subject[],
  options: HttpOptions,
  rate?: number,
): Promise<ReadonlyMap<string, Turn[]>> {
  const turns = new Map(subjects.map(({ name }) => [name, [] as Turn[]]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      const one = await turn(subject, options.seconds, rate);
      turns.get(subject.name)?.push(one);
      options.print(
        `round ${round}: ${subject.name}: ${figure(one.rate)}/s, ${figure(total(one))} us each${noteOf(one.share)}`,
      );
    }
  }
  return turns;
}

async function turn(subject: Subject, seconds: number, rate?: number): Promise<Turn> {
  const { pool } = subject;
  await pool?.query('checkpoint');
  const [before, walBefore] = [await readCpuTimes(subject), await readWal(pool)];
  const begun = performance.now();
  const load = rate === undefined ? atFullRate(subject, seconds) : atRate(subject, seconds, rate);
  const { spins, ...latency } = await load;
  await subject.drained();
  const elapsedS = (performance.now() - begun) / 1_000;
  const cpu = cpuBetween(before, await readCpuTimes(subject));
  const wal = (await readWal(pool)) - walBefore;
  return { rate: spins / elapsedS, ...latency, spins, cpu, wal };
}

const noteOf = (share: number) => sustainedNote(share, FIXED_RATE);

type Load = Pick<Turn, 'p50Ms' | 'p99Ms' | 'spins' | 'share'>;

/** A closed loop: each connection sends its next request after the response. */
async function atFullRate({ name, url, tokens }: Subject, seconds: number): Promise<Load> {
  let client = 0;
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    duration: seconds,
    connections: CONNECTIONS,
    method: 'POST',
    body: BODY,
    setupClient(one) {
      const token = tokens[client++ % tokens.length];
      one.setHeaders({ 'content-type': 'application/json', authorization: `Bearer ${token}` });
    },
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${name}: ${non2xx} refusals, ${errors} errors`);
  return { p50Ms: latency.p50, p99Ms: latency.p99, spins: requests.total, share: 1 };
}

async function atRate({ url, tokens }: Subject, seconds: number, rate: number): Promise<Load> {
  const [latencies, answeredMs]: [number[], number[]] = [[], []];
  await openLoop({ rate, seconds }, async (due, n) => {
    await post(url, tokens[n % tokens.length] ?? '', BODY);
    const nowMs = performance.now();
    latencies.push(nowMs - due);
    answeredMs.push(nowMs);
  });
  latencies.sort((a, b) => a - b);
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { p50Ms, p99Ms, spins: latencies.length, share: answeredShare(answeredMs, rate) };
}

async function readWal(pool: pg.Pool | undefined): Promise<number> {
  const text = "select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes";
  return pool ? ((await pool.query<{ bytes: number }>(text)).rows[0]?.bytes ?? 0) : 0;
}

function report(
  how: string,
  turns: ReadonlyMap<string, Turn[]>,
  print: (line: string) => void,
): Pick<Cost, 'rate' | 'cpu'> & { readonly share: number } {
  print(`\n${how}`);
  const rateOf = (name: string) => median(turns.get(name) ?? [], ({ rate }) => rate);
  const cpuOf = (name: string) => median(turns.get(name) ?? [], total);
  const shareOf = (list: readonly Turn[]) => Math.min(...list.map(({ share }) => share));
  for (const [name, list] of turns) {
    const rates = list.map(({ rate }) => rate).sort((a, b) => a - b);
    print(
      `${name.padEnd(14)} ${figure(rateOf(name))}/s [${figure(rates[0])}..${figure(rates.at(-1))}], ` +
        `p50 ${median(list, ({ p50Ms }) => p50Ms).toFixed(1)} ms, p99 ${median(list, ({ p99Ms }) => p99Ms).toFixed(0)} ms; CPU ${figure(cpuOf(name))} us per spin, ` +
        `log ${figure(median(list, ({ wal, spins }) => wal / spins))} bytes per spin${noteOf(shareOf(list))}`,
    );
    const names = [...new Set(list.flatMap(({ cpu }) => [...cpu.keys()]))];
    const parts = names
      .map((part) => ({ part, us: median(list, ({ cpu, spins }) => (cpu.get(part) ?? 0) / spins) }))
      .sort((a, b) => b.us - a.us);
    print(`               ${parts.map(({ part, us }) => `${part} ${figure(us)}`).join(', ')}`);
  }
  const ratioOf = (of: string, to: string) => ({
    rate: rateOf(of) / rateOf(to),
    cpu: cpuOf(of) / cpuOf(to),
  });
  const compare = (of: string, to: string, goals: string) => {
    const { rate, cpu } = ratioOf(of, to);
    print(`${of} / ${to}: rate ${rate.toFixed(2)}, CPU ${cpu.toFixed(2)}   (goal ${goals})`);
  };
  const isFixedRate = !turns.has('echo');
  compare('all services', 'hand-written', isFixedRate ? 'CPU 1.1' : 'CPU 0.80');
  compare('gateway alone', 'hand-written', isFixedRate ? 'none' : 'CPU 0.42');
  if (!isFixedRate) {
    compare('all services', 'echo', 'none');
    compare('gateway alone', 'echo', 'none');
  }
  // A ratio is of the fixed rate if both have sustained it in every round.
  const share = shareOf(['all services', 'hand-written'].flatMap((name) => turns.get(name) ?? []));
  return { ...ratioOf('all services', 'hand-written'), share };
}

function total({ cpu, spins }: Turn): number {
  return [...cpu.values()].reduce((sum, us) => sum + us, 0) / spins;
}

function median(turns: readonly Turn[], of: (turn: Turn) => number): number {
  return quantile(
    turns.map(of).sort((a, b) => a - b),
    0.5,
  );
}
