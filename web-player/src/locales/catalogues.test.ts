import { faces } from '@reelbook/games/faces';
import { chineseFaults, testCatalogues } from '@reelbook/testing/catalogues';
import { expect, test } from 'vitest';
import { verifierTexts } from '../../verifier/texts.ts';
import { en as enFirst } from './en.ts';
import { enPages } from './en-pages.ts';
import { zh as zhFirst } from './zh.ts';
import { zhPages } from './zh-pages.ts';

const en = { ...enFirst, ...enPages };
const zh = { ...zhFirst, ...zhPages };

testCatalogues({
  en,
  zh,
  folders: ['web-player/src', 'libs/web', 'libs/games', 'libs/contract', 'libs/ledger'],
});

test('Chinese texts have full-width punctuation and spaces around Latin and figures', () => {
  const games = Object.fromEntries(faces.map(({ id, texts }) => [id, texts.zh]));
  expect(chineseFaults({ ...zh, games, verifier: verifierTexts.zh.page })).toEqual([]);
  expect(
    chineseFaults({ bad: ['最多 (积分)', '等级 5可得', '你有 积分', '完成.', '好 。', '您好'] }),
  ).toHaveLength(6);
});

test('the phrases of the specification are verbatim', () => {
  expect(en.slot.error).toEqual({
    insufficient: 'Insufficient points balance! Please deposit more tokens.',
    // In the singular where the specification has "1 points".
    minimum_one: 'Minimum bet is {{count}} point.',
    minimum_other: 'Minimum bet is {{count}} points.',
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
