import { read } from '@reelbook/testing/repository';
import { expect, test } from 'vitest';
import { LOSSES, planLosses } from './losses.ts';

const LOSSES_BY_NAME = new Map(LOSSES.map((loss) => [loss.name, loss]));
const namesOf = (seed: number, count = LOSSES.length * 2) =>
  planLosses({ count, seed }).map(({ name }) => name);
const kindsOf = (seed: number, count: number) =>
  namesOf(seed, count).flatMap((name) => name.split(', '));

test('every leader, a standby and every service is killed, paused and cut off', () => {
  const lost = ['the leader', 'a standby', "etcd's leader", "NATS' leader"];
  const services = ['gateway', 'publisher', 'projector', 'auditor', 'cashier', 'console'];
  for (const one of [...lost, ...services.map((kind) => `one ${kind}`)]) {
    const ways = LOSSES.flatMap(({ name }) => (name.startsWith(`${one} is `) ? [name] : []));
    expect(ways).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/killed|lost/),
        `${one} is paused`,
        expect.stringMatching(/is cut off/),
      ]),
    );
  }
});

test('a seed gives its plan again; two at the same time are of different parts', () => {
  expect(namesOf(3)).toEqual(namesOf(3));
  expect(namesOf(4, 5)).not.toEqual(namesOf(3, 5));
  for (const seed of [1, 2, 3, 4]) {
    const plan = namesOf(seed).map((name) => name.split(', '));
    const pairs = plan.filter((two) => two.length > 1);
    expect(pairs.length).toBeGreaterThan(LOSSES.length / 3);
    for (const [one, other] of pairs) {
      const partOf = (name = '') => LOSSES_BY_NAME.get(name)?.part;
      expect(partOf(one)).not.toBe(partOf(other));
    }
  }
});

test('each kind comes once before any comes twice', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const kinds = kindsOf(seed, LOSSES.length);
    expect(new Set(kinds.slice(0, LOSSES.length)).size).toBe(LOSSES.length);
  }
});

test('the short form of .ci/run has the most dangerous losses', () => {
  const [, count, seed] = /crash --cluster --kills (\d+) --seed (\d+)/.exec(read('.ci/run')) ?? [];
  expect(kindsOf(Number(seed), Number(count))).toEqual(
    expect.arrayContaining([
      'the leader is paused',
      'the leader is cut off',
      'one cashier is paused',
      'one publisher is cut off',
    ]),
  );
});

test('what needs all services comes before what takes one away', async () => {
  const acts: string[] = [];
  const act = (name: string) => async () => void acts.push(name);
  const stage = {
    services: [{ kill: act('restarts') }],
    untilUp: act('is up'),
    natsLeader: async () => ({ kill: act('kills NATS') }),
  };
  for (let seed = 1; seed <= 2_000; seed++) {
    for (const loss of planLosses({ count: 3, seed })) {
      const [one, other] = loss.name.split(', ');
      if (one !== "NATS' leader is killed" || other !== 'all services are restarted in turn')
        continue;
      await loss.cause(stage as never, {} as never);
      expect(acts).toEqual(['restarts', 'is up', 'kills NATS']);
      return;
    }
  }
  throw new Error('no seed has this pair');
});
