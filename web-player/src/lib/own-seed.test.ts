// @vitest-environment happy-dom

import { ApiError } from '@reelbook/contract/client';
import type { Seeds } from '@reelbook/contract/player/fairness';
import { safeStorage } from '@reelbook/web/storage';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOwnSeeds } from './own-seed.ts';

const PLAYER = 'public-id';

interface Pair {
  pair: number;
  hash: string;
  text: string;
  by: 'player' | 'site';
}

beforeEach(() => localStorage.clear());

/** A site with its rotations; `rotating` runs before each, and may throw. */
function createSite(rotating: (sent: readonly string[], site: { pair: Pair }) => void = () => {}) {
  const first: Pair = { pair: 1, hash: 'hash-1', text: 'of-the-site', by: 'site' };
  const sent: string[] = [];
  const site = { pair: first, sent, committed: (pair: number) => `hash-${pair}`, rotate };
  const read = (): Seeds => ({
    pair: site.pair.pair,
    active: {
      server_seed_hash: site.pair.hash,
      client_seed: site.pair.text,
      client_seed_by: site.pair.by,
      nonce: 0,
    },
    next: { server_seed_hash: site.committed(site.pair.pair + 1) },
    revealed: [],
  });
  function rotate(text: string): Seeds {
    const pair = site.pair.pair + 1;
    site.pair = { pair, hash: site.committed(pair), text, by: 'player' };
    return read();
  }
  const browser = () =>
    createOwnSeeds(
      safeStorage(() => localStorage),
      {
        read: async () => read(),
        async rotate(text) {
          sent.push(text);
          rotating(sent, site);
          return rotate(text);
        },
      },
    );
  return { ...site, read, browser, state: site };
}

const away = () => {
  throw new ApiError(0, 'No connection', null);
};

describe('a client seed of the site', () => {
  test('is replaced before the first round', async () => {
    const { browser, sent, read } = createSite();
    const seeds = await browser().ensure(PLAYER);
    expect(sent).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(seeds.active.client_seed).toBe(sent[0]);
    expect(browser().isChosenHere(PLAYER, read())).toBe(true);
    // A second call does nothing, also after a reload.
    await browser().ensure(PLAYER);
    expect(sent).toHaveLength(1);
  });

  test('is replaced by the same choice in every attempt', async () => {
    const { browser, sent } = createSite((sent) => sent.length < 3 && away());
    await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'away' });
    await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'away' });
    await browser().ensure(PLAYER);
    expect(new Set(sent).size).toBe(1);
    expect(sent).toHaveLength(3);
  });

  test('cannot change while a round is open', async () => {
    const { browser } = createSite(() => {
      throw new ApiError(409, 'x', { error: 'rotate-round-open' });
    });
    await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'roundOpen' });
  });
});

describe('a committed server seed', () => {
  test('that changed between two attempts is detected', async () => {
    const { browser, state, sent } = createSite(away);
    await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'away' });
    state.committed = (pair) => `other-${pair}`;
    await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'broken' });
    expect(sent).toHaveLength(1);
  });

  test('that changed after the client seed was known is detected', async () => {
    const { browser, state } = createSite((_, site) => {
      site.pair = { ...site.pair };
      state.committed = (pair) => `other-${pair}`;
    });
    await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'broken' });
  });
});

describe('a rotation', () => {
  test('whose response was too late is not repeated', async () => {
    const { browser, sent, rotate } = createSite((sent) => {
      rotate(sent[0] ?? '');
      away();
    });
    await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'away' });
    await browser().ensure(PLAYER);
    expect(sent).toHaveLength(1);
  });

  test('that was executed twice is followed by one with a new client seed', async () => {
    let isDoubled = false;
    const { browser, sent, rotate, read } = createSite((sent) => {
      if (!isDoubled) rotate(sent[0] ?? '');
      isDoubled = true;
    });
    await browser().ensure(PLAYER);
    expect(sent).toHaveLength(2);
    expect(sent[1]).not.toBe(sent[0]);
    expect(browser().isChosenHere(PLAYER, read())).toBe(true);
  });
});

test('a client seed that the player chose elsewhere is kept at a login', async () => {
  const { browser, sent, rotate, read } = createSite();
  rotate('mine');
  await browser().ensure(PLAYER);
  expect(sent).toEqual([]);
  expect(browser().isChosenHere(PLAYER, read())).toBe(false);
});

test('a site that declares its first client seed the player’s is not trusted', async () => {
  const { browser, sent, state } = createSite();
  state.pair = { ...state.pair, by: 'player' };
  await browser().ensure(PLAYER);
  expect(sent).toHaveLength(1);
});

test('a typed seed replaces a choice that never arrived', async () => {
  const { browser, read } = createSite((sent) => sent.length === 1 && away());
  await expect(browser().ensure(PLAYER)).rejects.toMatchObject({ fault: 'away' });
  const seeds = await browser().rotate(PLAYER, read(), 'my-own-words');
  expect(seeds.active.client_seed).toBe('my-own-words');
  expect(browser().isOwn(PLAYER, read())).toBe(true);
});
