import { toText } from '@reelbook/ledger/money';
import {
  SAMPLE_ROUND,
  SAMPLE_SECRET,
  sampleBody,
  sampleReceipt,
} from '@reelbook/testing/sample-receipt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventHash } from '../fairness/commit.ts';
import { createDraws } from '../fairness/draw.ts';
import { games } from '../rules.ts';
import { findChainFault } from './chained-event.ts';
import { checkCommitment, checkEvent } from './check-event.ts';
import { checkReceipt } from './check-receipt.ts';
import type { EventProof } from './event-proof.ts';
import { publicKeyOf, signReceipt } from './receipt.ts';

type Events = [EventProof, EventProof, EventProof, EventProof];

const KEY = publicKeyOf(SAMPLE_SECRET);
const failing = (receipt: unknown, key: string | null = KEY) =>
  checkReceipt(receipt, key).flatMap(({ name, state }) => (state === 'fails' ? [name] : []));

type Path = readonly (string | number)[];

/** The paths of a JSON value's leaves. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** A copy with one leaf changed to another value of its type. */
function bend<T>(value: T, path: Path): T {
  const copy = structuredClone(value);
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  const last = path.at(-1) as string;
  const old = at[last];
  if (typeof old === 'number') at[last] = old + 1;
  else if (typeof old === 'boolean') at[last] = !old;
  else if (typeof old === 'string') at[last] = /^[0-9a-f]{64,}$/.test(old) ? flip(old) : `${old}1`;
  else at[last] = 'something';
  return copy;
}

const flip = (hex: string) => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`;

describe('a good receipt', () => {
  test.each(games)('of $id passes every check', ({ id, rulesIds }) => {
    for (const rules of rulesIds) {
      for (let nonce = 0; nonce < 20; nonce++) {
        const receipt = sampleReceipt({ ...SAMPLE_ROUND, game: id, rules, nonce });
        expect(checkReceipt(receipt, KEY).filter(({ state }) => state !== 'passes')).toEqual([]);
      }
    }
  });

  test('passes after serialization with its keys in any order', () => {
    const turned = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(turned);
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, turned(inner)]),
      );
    };
    expect(failing(turned(JSON.parse(JSON.stringify(sampleReceipt()))))).toEqual([]);
  });

  test.each(games.filter(({ timed }) => timed))(
    'of a voided round of $id shows what it would have paid, once its seed is revealed',
    ({ id, rulesIds: [rules = ''], draw }) => {
      const paid = new Set<bigint>();
      for (let nonce = 0; nonce < 6; nonce++) {
        const round = { ...SAMPLE_ROUND, game: id, rules, nonce, voided: 'by hand' };
        const receipt = sampleReceipt(round);
        expect(failing(receipt)).toEqual([]);
        const { payoutMinor } = draw({ ...round, lines: 25, draws: createDraws(round) });
        paid.add(payoutMinor);
        const message = checkReceipt(receipt, KEY).find(({ name }) => name === 'draw')?.message;
        const expected = `would have paid ${toText('points', payoutMinor)}; an operator voided it`;
        expect(message).toContain(expected);
        expect(message).toContain('gave the stake of 25 points back (by hand)');
        const { signature: _, ...body } = receipt;
        const secret = { ...body, server_seed: null, seed_status: 'awaiting reveal' as const };
        const waiting = checkReceipt(signReceipt(secret, SAMPLE_SECRET), KEY);
        expect(waiting.filter(({ state }) => state !== 'passes').map(({ name }) => name)).toEqual([
          'seed',
          'draw',
        ]);
      }
      expect(paid.size).toBeGreaterThan(1);
    },
  );

  test('of a voided round with another seed than the committed one fails', () => {
    const round = { ...SAMPLE_ROUND, game: 'snake', rules: 'snake-1', voided: 'by hand' };
    const { signature: _, ...body } = sampleReceipt(round);
    const other = SAMPLE_ROUND.serverSeed.replace('00', '01');
    expect(failing(signReceipt({ ...body, server_seed: other }, SAMPLE_SECRET))).toEqual([
      'seed',
      'draw',
    ]);
  });

  test('of an open round waits for its settlement', () => {
    const body = sampleBody();
    const open = {
      ...body,
      status: 'open' as const,
      outcome: null,
      payout_minor: null,
      events: body.events.slice(0, 3),
      postings: body.postings.slice(0, 2),
    };
    const checks = checkReceipt(signReceipt(open, SAMPLE_SECRET), KEY);
    expect(checks.filter(({ state }) => state !== 'passes')).toEqual([
      { name: 'draw', state: 'open', message: 'the round is not settled yet' },
    ]);
  });
});

describe('a receipt with any one thing changed', () => {
  const good = sampleReceipt();

  test('is not what was signed', () => {
    for (const path of leavesOf(good)) {
      if (path[0] === 'version') continue;
      expect(failing(bend(good, path)), path.join('.')).toContain('signature');
    }
    expect(() => checkReceipt(bend(good, ['version']), KEY)).toThrow('no receipt of version');
    expect(failing({ ...good, added: 1 })).toEqual(['signature']);
  });

  test('and signed again by the site, fails by its content', () => {
    const { signature: _, ...body } = good;
    for (const path of leavesOf(body)) {
      // Only the signature proves the time of issue.
      if (path[0] === 'version' || path[0] === 'issued_at') continue;
      const again = signReceipt(bend(body, path), SAMPLE_SECRET);
      expect(failing(again), path.join('.')).not.toEqual([]);
    }
  });

  test('and any part removed, never passes and throws no exception', () => {
    fc.assert(
      fc.property(fc.constantFrom(...leavesOf(good)), fc.jsonValue(), (path, value) => {
        const copy = structuredClone(good) as unknown as Record<string | number, unknown>;
        let at = copy;
        for (const key of path.slice(0, -1)) at = at[key] as typeof at;
        const last = path.at(-1) as string;
        fc.pre(JSON.stringify(at[last]) !== JSON.stringify(value) && path[0] !== 'version');
        at[last] = value;
        expect(failing(copy)).not.toEqual([]);
      }),
    );
  });
});

describe.each(games.filter(({ timed }) => timed))('a receipt of $id', ({ id, rulesIds }) => {
  const round = { ...SAMPLE_ROUND, game: id, rules: rulesIds[0] ?? '', stakeMinor: 1_000n };
  const good = sampleReceipt(round);

  test('passes, and with any one thing changed and signed again by the site, fails', () => {
    expect(failing(good)).toEqual([]);
    const { signature: _, ...body } = good;
    for (const path of leavesOf(body)) {
      if (['version', 'issued_at', 'events'].includes(String(path[0]))) continue;
      const again = signReceipt(bend(body, path), SAMPLE_SECRET);
      expect(failing(again), path.join('.')).not.toEqual([]);
    }
  });

  test('with another length names the length that the seeds give', () => {
    const { signature: _, ...body } = good;
    const old = Number(good.outcome?.ticks);
    const outcome = { ...good.outcome, ticks: old + 1 };
    const again = signReceipt({ ...body, outcome }, SAMPLE_SECRET);
    expect(failing(again)).toEqual(['events', 'draw']);
    const drawn = checkReceipt(again, KEY).find(({ name }) => name === 'draw');
    expect(drawn?.message).toContain(`"ticks":${old}`);
  });
});

test.each([null, 7, 'text', [], {}, { version: 'reelbook-receipt-1' }])(
  '%j is no receipt',
  (value) => {
    expect(() => checkReceipt(value, null)).toThrow('no receipt');
    expect(() => checkEvent(value)).toThrow('neither a receipt nor the proof of an event');
  },
);

test('two events of a round at consecutive positions are chained to each other', () => {
  const body = sampleBody();
  const [committed, chosen, bet, end] = body.events as Events;
  const events = [committed, chosen, end, bet];
  const apart = signReceipt({ ...body, events }, SAMPLE_SECRET);
  expect(failing(apart)).toContain('chain');
});

describe('the commitment to the seeds of a bet', () => {
  const body = sampleBody();
  const [committed, chosen, bet] = body.events as Events;
  const edit = (event: EventProof, part: object, data: object = {}) => {
    const read = JSON.parse(event.body);
    const edited = { ...read, ...part, data: { ...read.data, ...data } };
    return { ...event, body: JSON.stringify(edited) };
  };
  const fault = (...texts: EventProof[]) => {
    const { state, message } = checkCommitment(texts);
    return state === 'fails' ? message : null;
  };

  test('passes before the bet, for its pair', () => {
    expect(fault(committed, chosen, bet)).toBeNull();
    const found = checkEvent({ ...bet, commitment: [committed, chosen] });
    expect(found.map(({ name, state }) => [name, state])).toEqual([
      ['chain', 'passes'],
      ['commitment', 'passes'],
      ['inclusion', 'passes'],
    ]);
  });

  test('is required for a bet, not for its settlement', () => {
    const names = (event: EventProof) =>
      checkEvent(event).flatMap(({ name, state }) => (state === 'fails' ? [name] : []));
    expect(names(bet)).toEqual(['commitment']);
    expect(names((body.events as Events)[3])).toEqual([]);
  });

  test('must be of the bet itself, not of another bet in the same file', () => {
    const rehashed = (event: EventProof) => {
      return { ...event, hash: eventHash(event.previous_hash, event.body) };
    };
    const { position, version } = JSON.parse(bet.body);
    const place = { position: position + 9, version: version + 9 };
    const unsealed = { position: position + 9, status: 'not sealed yet', inclusion: null } as const;
    const moved = edit({ ...bet, ...unsealed }, place, { pair: 9 });
    const proof = { ...rehashed(moved), commitment: [committed, chosen, bet] };
    const failed = checkEvent(proof).filter(({ state }) => state === 'fails');
    expect(failed.map(({ name }) => name)).toEqual(['commitment']);
  });

  test('of an unreadable text fails', () => {
    const found = checkEvent({ ...bet, body: 'none' });
    expect(found.map(({ name, state }) => [name, state])).toContainEqual(['chain', 'fails']);
    for (const commitment of [7, [null, chosen]]) {
      expect(() => checkEvent({ ...bet, commitment })).toThrow('nor the proof of an event');
    }
  });

  test.each([
    ['of another pair', edit(committed, {}, { pair: 9 }), chosen, 'is of another'],
    ['with a client seed of another pair', committed, edit(chosen, {}, { pair: 9 }), 'of another'],
    ['of another player', edit(committed, { stream: 'player-x' }), chosen, 'another player'],
    ['after the bet', edit(committed, { position: 8 }), edit(chosen, { position: 9 }), 'before it'],
    ['with a client seed apart', committed, edit(chosen, { version: 9 }), 'before it'],
    ['that is none', edit(committed, { type: 'SeedRevealed' }), chosen, 'is missing'],
  ])('%s is invalid', (_, one, other, message) => {
    expect(fault(one, other, bet)).toContain(message);
  });
});

test('a settlement of another game, stake or round than the bet fails', () => {
  const body = sampleBody();
  const [committed, chosen, bet, end] = body.events as Events;
  const { game, round, stakeMinor } = JSON.parse(end.body).data;
  for (const [was, is] of [
    [game, 'snake'],
    [round, 'sample-99'],
    [stakeMinor, '99'],
  ]) {
    const other = { ...end, body: end.body.replace(`"${was}"`, `"${is}"`) };
    const again = signReceipt({ ...body, events: [committed, chosen, bet, other] }, SAMPLE_SECRET);
    expect(failing(again), was).toContain('events');
  }
});

test('the first byte of a text cannot be moved into the hash before it', () => {
  const body = JSON.stringify({ position: 2 });
  const previous_hash = `${'ab'.repeat(31)}20`;
  const event = { position: 2, body, previous_hash, hash: eventHash(previous_hash, body) };
  expect(findChainFault(event)).toBeNull();
  const shifted = { ...event, body: ` ${body}`, previous_hash: 'ab'.repeat(31) };
  expect(findChainFault(shifted)).toBe('the hash before #2 is invalid');
});
