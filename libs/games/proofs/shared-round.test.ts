import { describe, expect, it } from 'vitest';
import { games } from '../rules.ts';
import { publicKeyOf } from './receipt.ts';
import {
  checkShared,
  drawShared,
  linkTextOf,
  readLinkText,
  type SharedRound,
  signShared,
} from './shared-round.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const OTHER = Uint8Array.from({ length: 32 }, () => 9);
const KEY = publicKeyOf(SECRET);
const INPUTS = {
  rules: 'slot-1',
  lines: 25,
  server_seed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  client_seed: '100%&=open#book+1',
  nonce: 7,
};
const shared = (inputs: Partial<typeof INPUTS> = {}, secretKey = SECRET): SharedRound =>
  signShared({ ...INPUTS, ...inputs }, { secretKey, games });
const states = (value: unknown, key: string | null = KEY) =>
  Object.fromEntries(checkShared(value, key).checks.map(({ name, state }) => [name, state]));
const ALL = { rules: 'passes', seed: 'passes', draw: 'passes', signature: 'passes' };

describe('a shared round', () => {
  it.each(games)('of $id passes through a link, and every check with the key', ({ rulesIds }) => {
    for (const rules of rulesIds) {
      const round = shared({ rules });
      const read = readLinkText(linkTextOf(round));
      expect(read).toEqual(round);
      expect(states(read)).toEqual(ALL);
    }
  });

  it('names inputs and signature only', () => {
    const names = [...new URLSearchParams(linkTextOf(shared())).keys()].sort();
    const inputs = ['client_seed', 'lines', 'nonce', 'rules', 'server_seed'];
    expect(names).toEqual([...inputs, 'key', 'round', 'signature'].sort());
  });

  it('names what it pays at the least stake, where no maximum applies', () => {
    const { game, outcome, multiple } = drawShared(INPUTS);
    const words = `Slot machine, ${game.describe(outcome)}: ${multiple}×, up to the maximum win`;
    expect(checkShared(shared(), null).words).toBe(words);
  });

  it('without a key from elsewhere proves no play: anyone can search winning seeds and sign', () => {
    let nonce = 0;
    while (drawShared({ ...INPUTS, nonce }).multiple < 25) nonce++;
    const forged = shared({ nonce }, OTHER);
    expect(states(forged, null)).toEqual({ ...ALL, signature: 'open' });
    expect(states(forged, KEY)).toEqual({ ...ALL, signature: 'fails' });
  });

  it.each(Object.keys(INPUTS) as (keyof typeof INPUTS)[])(
    'with another %s than was signed fails',
    (field) => {
      const changes = {
        rules: 'slot-2',
        lines: 1,
        server_seed: 'f'.repeat(64),
        client_seed: 'x',
        nonce: 8,
      };
      const changed = { ...shared(), [field]: changes[field] };
      expect(states(changed, null).signature).toBe('fails');
      expect(states(changed).signature).toBe('fails');
    },
  );

  it.each([
    ['another version', { version: 'reelbook-shared-round-2' }, 'no shared round'],
    ['unknown rules', { rules: 'slot-99' }, 'no game here has the rules slot-99'],
    ['rules that are no id', { rules: '<b>' }, 'no shared round'],
    ['an invalid seed', { server_seed: 'F'.repeat(64) }, 'no shared round'],
    ['a client seed with a colon', { client_seed: 'a:1' }, 'no shared round'],
    ['a negative nonce', { nonce: -1 }, 'no shared round'],
    ['a nonce that is no number', { nonce: '7' }, 'no shared round'],
    [
      'a choice that the game does not have',
      { choice: { over: 5 } },
      'slot-machine takes no choice',
    ],
    ['no signature', { signature: null }, 'no shared round'],
  ])('with %s is refused', (_, change, words) => {
    expect(() => checkShared({ ...shared(), ...change }, null)).toThrow(words);
  });

  it('of a text that is none is null, and of damaged ones refused', () => {
    expect(readLinkText('')).toBeNull();
    expect(readLinkText('verdict')).toBeNull();
    for (const text of ['round=x', `round=${shared().version}`]) {
      expect(() => checkShared(readLinkText(text), null), text).toThrow('no shared round');
    }
    expect(() => readLinkText('round=x&choice={')).toThrow();
  });
});
