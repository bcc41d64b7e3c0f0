import { NOTICES } from '@reelbook/ledger/player/notice-text';
import { expect, test } from 'vitest';
import { en as enFirst } from './en.ts';
import { enPages } from './en-pages.ts';
import { zh as zhFirst } from './zh.ts';
import { zhPages } from './zh-pages.ts';

const en = { ...enFirst, ...enPages };
const zh = { ...zhFirst, ...zhPages };

/** `home.title` -> text, for every text of a catalogue. */
function texts(catalogue: object, path = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : texts(value, `${path}${key}.`),
  );
}

const figures = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

test('both catalogues have the same keys', () => {
  expect(texts(zh).map(([key]) => key)).toEqual(texts(en).map(([key]) => key));
});

test('each text names the same figures in both languages, and none is empty', () => {
  const chinese = new Map(texts(zh));
  for (const [key, text] of texts(en)) {
    expect(figures(chinese.get(key) ?? ''), key).toEqual(figures(text));
    expect(chinese.get(key)?.trim(), key).not.toBe('');
  }
});

test('every notification of the ledger has its words, with the figures that the ledger names', () => {
  expect(Object.keys(en.notices).sort()).toEqual(Object.keys(NOTICES).sort());
  for (const [kind, [, title, content]] of Object.entries(NOTICES)) {
    const ours = en.notices[kind as keyof typeof NOTICES];
    const named = [...content.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    expect([ours.title, figures(ours.content)], kind).toEqual([title, named]);
  }
});

test('the phrases of the specification stand word for word', () => {
  expect(en.slot.error).toEqual({
    insufficient: 'Insufficient points balance! Please deposit more tokens.',
    minimum: 'Minimum bet is {{min}} points.',
    maximum: 'Maximum bet is {{max}} points.',
    other: 'Game failed: {{why}}',
    unknown: 'Game failed. Please try again.',
  });
  expect(en.slot).toMatchObject({
    spinning: 'Spinning...',
    insufficient: 'Insufficient Points',
    tryAgain: 'Try again!',
  });
  expect(en.history.empty).toBe('No game history yet. Start playing!');
  expect(en.games.comingSoon).toBe('{{name}} coming soon!');
  expect(en.connecting).toEqual({
    notConnected: 'Wallet not connected.',
    rejected: 'Wallet connection was rejected by user.',
    connectFailed: 'Failed to connect to wallet. Please try again.',
    signFailed: 'Failed to sign message. Please try again.',
    noKey: 'Failed to connect wallet or get public key.',
    failed: 'Failed to connect wallet',
  });
});
