/** What a replicated site can lose, and what brings it back. The same seed gives the same plan. */
import { createRandom, pick } from '@reelbook/testing/random';
import type { ClusterNode } from '../stages/cluster.ts';
import type { ClusterStage, Kind } from '../stages/cluster-site.ts';
import type { Service } from '../stages/service.ts';

/** Writes must be back after it. If it returns another one, that is next. */
type Undo = () => unknown;

export interface Loss {
  readonly name: string;
  /** Two losses of different parts may happen together. */
  readonly part: string;
  /** Within which writes are to be back: 15 s after a process, 40 s after a machine. */
  readonly goalS: number;
  /** At least so long before it is undone. */
  readonly lastsMs?: number;
  /** Nothing can be written until it is undone. */
  readonly blocks?: boolean;
  /** Needs all services, so it comes before what takes one away. */
  readonly needsAll?: boolean;
  cause(stage: ClusterStage, leader: ClusterNode): Promise<Undo>;
}

const PROCESS_S = 15;
const MACHINE_S = 40;
const LASTS_MS = 10_000;
const LONE_MS = 3_000;
/** Every third loss is two. */
const PAIR_EVERY = 3;

interface Server {
  kill(): Promise<void>;
  start(): Promise<void> | void;
  pause(): void;
  resume(): void;
  cut(): void;
  restore(): Promise<void>;
}

const nothing = () => {};

const standbysOf = ({ cluster }: ClusterStage, leader: ClusterNode): readonly ClusterNode[] =>
  cluster.nodes.filter(({ name }) => name !== leader.name);

/** A machine of Postgres, lost until another one leads. */
const ofNode = (
  name: string,
  act: (node: ClusterNode) => Promise<void> | void,
  undo: (node: ClusterNode) => Promise<void> | void,
): readonly Loss[] =>
  (['the leader', 'a standby'] as const).map((which) => ({
    ...{ name: `${which} is ${name}`, part: 'postgres', goalS: MACHINE_S },
    async cause(stage, leader) {
      const node = which === 'the leader' ? leader : (standbysOf(stage, leader)[0] ?? leader);
      await act(node);
      return () => undo(node);
    },
  }));

/** The leader of several servers. */
const ofServer = (
  name: string,
  part: string,
  find: (stage: ClusterStage) => Promise<Server>,
  cutOff = 'cut off',
): readonly Loss[] => {
  const all = { part, lastsMs: LASTS_MS };
  return [
    {
      ...{ ...all, name: `${name} is killed`, goalS: PROCESS_S },
      async cause(stage) {
        const server = await find(stage);
        await server.kill();
        return () => server.start();
      },
    },
    {
      ...{ ...all, name: `${name} is paused`, goalS: MACHINE_S },
      async cause(stage) {
        const server = await find(stage);
        server.pause();
        return () => server.resume();
      },
    },
    {
      ...{ ...all, name: `${name} is ${cutOff}`, goalS: MACHINE_S },
      async cause(stage) {
        const server = await find(stage);
        server.cut();
        return () => server.restore();
      },
    },
  ];
};

/** A service: the one that acts. What is paused or cut off goes on after another one acts. */
const ofService = (kind: Kind): readonly Loss[] => {
  const untilReplaced = async (stage: ClusterStage, service: Service) => {
    if (LEASED.includes(kind)) await stage.acting(kind, service);
  };
  return [
    {
      ...{ name: `one ${kind} is killed`, part: kind, goalS: PROCESS_S },
      async cause(stage) {
        await (await stage.acting(kind)).kill(0);
        return nothing;
      },
    },
    {
      ...{ name: `one ${kind} is paused`, part: kind, goalS: MACHINE_S, lastsMs: LASTS_MS },
      async cause(stage) {
        const service = await stage.acting(kind);
        service.pause();
        await untilReplaced(stage, service);
        return () => service.resume();
      },
    },
    {
      ...{ name: `one ${kind} is cut off`, part: kind, goalS: MACHINE_S, lastsMs: LASTS_MS },
      async cause(stage) {
        const service = await stage.acting(kind);
        const wires = stage.wiresOf(service);
        wires.cut();
        await untilReplaced(stage, service);
        return () => wires.restore();
      },
    },
  ];
};

const KINDS = ['gateway', 'publisher', 'projector', 'auditor', 'cashier', 'console'] as const;
/** Of them one acts at a time. */
const LEASED: readonly Kind[] = ['publisher', 'projector', 'cashier'];

export const LOSSES: readonly Loss[] = [
  {
    ...{ name: 'Postgres of the leader is killed', part: 'postgres', goalS: PROCESS_S },
    async cause(_, leader) {
      leader.crash();
      return nothing;
    },
  },
  {
    ...{ name: 'the leader is switched over', part: 'postgres', goalS: PROCESS_S },
    async cause(_, leader) {
      await leader.switchOver();
      return nothing;
    },
  },
  ...ofNode(
    'lost',
    (node) => node.lose(),
    (node) => node.start(),
  ),
  ...ofNode(
    'paused',
    (node) => node.pause(),
    (node) => node.resume(),
  ),
  ...ofNode(
    'cut off',
    (node) => node.cut(),
    (node) => node.restore(),
  ),
  {
    ...{ name: 'both standbys are paused', part: 'postgres', goalS: MACHINE_S },
    ...{ lastsMs: LASTS_MS, blocks: true },
    async cause(stage, leader) {
      const standbys = standbysOf(stage, leader);
      for (const standby of standbys) standby.pause();
      return () => {
        for (const standby of standbys) standby.resume();
      };
    },
  },
  {
    ...{ name: 'the old leader returns to a lone one', part: 'postgres', goalS: MACHINE_S },
    ...{ lastsMs: LONE_MS, blocks: true },
    async cause({ cluster }, old) {
      await old.lose();
      const next = await cluster.untilComplete(old);
      const last = cluster.nodes.find(({ name }) => name !== old.name && name !== next.name) ?? old;
      await last.lose();
      return () => {
        old.start();
        return last.start;
      };
    },
  },
  ...ofServer(
    "etcd's leader",
    'etcd',
    ({ cluster }) => cluster.etcdLeader(),
    'cut off from Patroni',
  ),
  ...ofServer("NATS' leader", 'nats', ({ natsLeader }) => natsLeader()),
  {
    ...{ name: 'an RPC lacks every transaction', part: 'chain', goalS: PROCESS_S },
    lastsMs: LASTS_MS,
    async cause({ chain }) {
      const { faults } = chain.local;
      faults.forget(Number.MAX_SAFE_INTEGER, 'second');
      return () => faults.clear();
    },
  },
  {
    ...{ name: 'all services are restarted in turn', part: 'services', goalS: PROCESS_S },
    needsAll: true,
    async cause(stage) {
      for (const service of stage.services) {
        await service.kill(0, 'SIGTERM');
        await stage.untilUp(service);
      }
      return nothing;
    },
  },
  ...KINDS.flatMap(ofService),
];

/**
 * `count` losses in random order, none again before all were. Every third is one of two parts at the same time, unless only
 * losses of its part are left.
 */
export function planLosses(o: { readonly count: number; readonly seed: number }): readonly Loss[] {
  const random = createRandom(o.seed);
  let left: readonly Loss[] = [];
  const draw = (fits: (loss: Loss) => boolean): Loss | null => {
    if (left.length === 0) left = LOSSES;
    const fitting = left.filter(fits);
    if (fitting.length === 0) return null;
    const chosen = pick(random, fitting);
    left = left.filter((one) => one !== chosen);
    return chosen;
  };
  return Array.from({ length: o.count }, (_, index) => {
    const one = draw(() => true) as Loss;
    const isPair = (index + 1) % PAIR_EVERY === 0;
    const other = isPair ? draw(({ part }) => part !== one.part) : null;
    return other ? together(one, other) : one;
  });
}

function together(one: Loss, other: Loss): Loss {
  return {
    name: `${one.name}, ${other.name}`,
    part: `${one.part}, ${other.part}`,
    goalS: Math.max(one.goalS, other.goalS),
    lastsMs: Math.max(one.lastsMs ?? 0, other.lastsMs ?? 0),
    blocks: (one.blocks || other.blocks) ?? false,
    async cause(stage, leader) {
      // What blocks comes last: a gateway that starts meanwhile waits.
      const [first, last] = one.blocks || other.needsAll ? [other, one] : [one, other];
      const undoFirst = await first.cause(stage, leader);
      const undoLast = await last.cause(stage, leader);
      return async () => {
        await undoFirst();
        return undoLast();
      };
    },
  };
}
