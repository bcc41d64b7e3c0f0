/** What is done to the containers, one after another, and who takes over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '@reelbook/event-store/db';
import type pg from 'pg';
import type { Compose, Container } from '../stages/compose.ts';
import { FOLLOWERS, type Follower, untilEachHasOne } from './acting.ts';

const LOOK_EVERY_MS = 100;
/** Leases last 15 s at most; then another must act. */
const TAKEOVER_TIMEOUT_MS = 60_000;
const DOWN_MS = 2_000;
/** Paused or cut off it sleeps on for so long after another has taken over, then wakes and must change nothing. */
const ASLEEP_MS = 1_500;

/** A server is away for longer than a lease lasts, and than a short call waits. */
const SERVER_ASLEEP_MS = 8_000;

const SERVERS = ['nats', 'postgres'] as const;

export interface Action {
  readonly kind: 'kill' | 'pause' | 'cut';
  readonly service: 'gateway' | (typeof SERVERS)[number] | Follower;
}

/** Each service dies once; then the servers and those that act alone are put to sleep, and cut off the network. */
export const ACTS: readonly Action[] = [
  { kind: 'kill', service: 'gateway' },
  ...FOLLOWERS.map((service) => ({ kind: 'kill', service }) as const),
  ...SERVERS.map((service) => ({ kind: 'kill', service }) as const),
  ...[...FOLLOWERS, ...SERVERS].map((service) => ({ kind: 'pause', service }) as const),
  ...[...FOLLOWERS, ...SERVERS].map((service) => ({ kind: 'cut', service }) as const),
];

export interface Ground {
  readonly compose: Compose;
  /** Role app. */
  readonly pool: pg.Pool;
  /** Target after a gateway came back: it has another port. */
  onGateway(): Promise<void>;
}

/** Does it to the container that acts. @returns how long it took until another acted; null where none has to. */
export async function perform(ground: Ground, act: Action): Promise<number | null> {
  const { compose } = ground;
  if (act.service === 'gateway' || act.service === 'nats' || act.service === 'postgres') {
    const victim = (await compose.containers(act.service)).find(({ running }) => running);
    if (!victim) throw new Error(`no ${act.service} runs`);
    const [away, back] = waysOf(compose, act, victim.id);
    await away();
    await sleep(act.kind === 'kill' ? DOWN_MS : SERVER_ASLEEP_MS);
    await back();
    if (act.service === 'gateway') await ground.onGateway();
    return null;
  }
  const victim = await findActing(ground, act.service);
  const [away, back] = waysOf(compose, act, victim.id);
  const begun = performance.now();
  await away();
  const tookMs = await untilTakenOver(ground, act.service, victim, begun);
  await sleep(act.kind === 'kill' ? DOWN_MS : ASLEEP_MS);
  await back();
  await untilEachHasOne(compose, act.service);
  return tookMs;
}

function waysOf(compose: Compose, { kind, service }: Action, id: string) {
  if (kind === 'pause') {
    return [() => compose.act('pause', id), () => compose.act('unpause', id)] as const;
  }
  if (kind === 'cut') return [() => compose.cut(id), () => compose.join(id, service)] as const;
  return [() => compose.act('kill', id), () => compose.act('start', id)] as const;
}

/** Leases by who holds them, of one service; none while the database is away. */
async function readHolders({ pool }: Ground, service: Follower): Promise<readonly string[]> {
  const others = "name not in ('publisher', 'cashier')";
  const query = pool.query<{ holder: string }>(
    `select holder from checkpoints where holder is not null and lease_until > clock_timestamp()
      and ${service === 'projector' ? others : 'name = $1'}`,
    service === 'projector' ? [] : [service],
  );
  const { rows } = await query.catch((error: unknown) => {
    if (isUnavailable(error)) return { rows: [] };
    throw error;
  });
  return rows.map(({ holder }) => holder);
}

/** The container that holds the lease; of projectors the one with the most leases. */
async function findActing(ground: Ground, service: Follower): Promise<Container> {
  const deadline = performance.now() + TAKEOVER_TIMEOUT_MS;
  for (;;) {
    const holders = await readHolders(ground, service);
    const held = (one: Container) => holders.filter((name) => name.startsWith(one.hostname)).length;
    const [first] = [...(await ground.compose.containers(service))].sort(
      (a, b) => held(b) - held(a),
    );
    if (first && held(first) > 0) return first;
    if (performance.now() > deadline) throw new Error(`no ${service} acts`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Waits until the victim holds no lease and others hold as many. */
async function untilTakenOver(
  ground: Ground,
  service: Follower,
  victim: Container,
  begun: number,
): Promise<number> {
  const before = (await readHolders(ground, service)).length;
  for (;;) {
    const holders = await readHolders(ground, service);
    const freed = holders.every((name) => !name.startsWith(victim.hostname));
    const tookMs = performance.now() - begun;
    if (freed && holders.length >= Math.max(1, before)) return tookMs;
    if (tookMs > TAKEOVER_TIMEOUT_MS) throw new Error(`no instance took over from the ${service}`);
    await sleep(LOOK_EVERY_MS);
  }
}
