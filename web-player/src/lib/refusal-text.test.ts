import { ApiError } from '@reelbook/contract/client';
import { refusals as english } from '@reelbook/contract/english';
import { answerTo } from '@reelbook/contract/errors';
import { reject } from '@reelbook/ledger/rejections';
import { listFiles, read } from '@reelbook/testing/repository';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { en } from '../locales/en.ts';
import { enPages } from '../locales/en-pages.ts';
import { zh } from '../locales/zh.ts';
import { zhPages } from '../locales/zh-pages.ts';
import { refusalText } from './refusal-text.ts';

beforeAll(async () => {
  await i18next.init({
    fallbackLng: false,
    resources: {
      en: { translation: { ...en, ...enPages } },
      zh: { translation: { ...zh, ...zhPages } },
    },
    interpolation: { escapeValue: false },
  });
});

const inBoth = async (error: unknown) => {
  const texts: string[] = [];
  for (const language of ['en', 'zh']) {
    await i18next.changeLanguage(language);
    texts.push(refusalText(error));
  }
  return texts;
};
const refusal = (cause: Parameters<typeof answerTo>[0]) => {
  const { status, body } = answerTo(cause);
  return new ApiError(status, body.message, body.data);
};
const untilMs = new Date(2031, 4, 6, 7, 8).getTime();

test('a refusal is in the language of the page, with its figures', async () => {
  const poor = reject('insufficient-points', { pointsMinor: 450n, stakeMinor: 1_000n });
  expect(await inBoth(refusal(poor))).toEqual([
    'insufficient points balance: you have 4.50 points; this bet needs 10.00 points. Bet less or exchange BSM for points',
    '积分余额不足：你有 4.50 积分，这一注需要 10.00 积分。请降低投注，或用 BSM 兑换积分',
  ]);
  const limit = { period: 'day', limitTokenMinor: 5_000_000_000n, leftTokenMinor: 0n };
  expect(
    await inBoth(refusal(reject('deposit-limit-reached', { ...limit, resetsMs: untilMs }))),
  ).toEqual([
    'this exceeds your own deposit limit of 5.00 BSM within a day: 0.00 BSM left until 2031-05-06 07:08',
    '超过你自己设置的充值限额 5.00 BSM（每天）：在 2031-05-06 07:08 之前还剩 0.00 BSM',
  ]);
  expect(await inBoth(refusal(reject('deposit-not-ours', { fault: 'wrong-mint' })))).toEqual([
    'this transaction is not your deposit: it moved another token, not BSM',
    expect.stringMatching(/^这笔交易不是你的充值：./),
  ]);
});

test('an exclusion names its end, or that it has none', async () => {
  expect(await inBoth(refusal(reject('self-excluded', { untilMs })))).toEqual([
    expect.stringMatching(/from play until 2031-05-06 07:08; /),
    expect.stringMatching(/（直至 2031-05-06 07:08）/),
  ]);
  expect(await inBoth(refusal(reject('self-excluded')))).toEqual([
    expect.stringMatching(/from play permanently; /),
    expect.stringMatching(/（永久）/),
  ]);
});

test('an unknown code has the text of the server, and no response its own', async () => {
  const newer = new ApiError(409, 'moon is not ready', { error: 'moon' });
  expect(await inBoth(newer)).toEqual(['moon is not ready', 'moon is not ready']);
  expect(await inBoth(new ApiError(0, 'No connection', null))).toEqual([
    en.common.unreachable,
    zh.common.unreachable,
  ]);
  expect(refusalText(new TypeError('x'))).toBe('');
});

/** A value as the API returns the figure of that name. */
function figureOf(name: string): string | number {
  const texts: Record<string, string> = { period: 'week', fault: 'wrong-mint', game: 'tetris' };
  if (name.endsWith('_at')) return new Date(untilMs).toISOString();
  return texts[name] ?? (name === 'origin' ? 'https://reelbook.test' : 7);
}

test('every refusal of a player has its own text in both languages, with all its figures', async () => {
  for (const [code, text] of Object.entries(english)) {
    const names = [...text.matchAll(/{{(\w+)}}/g)].map(([, name = '']) => name);
    const data = Object.fromEntries(names.map((name) => [name, figureOf(name)]));
    // The server's text has a mark, so that it is not taken for one of the page.
    const texts = await inBoth(new ApiError(422, `server: ${text}`, { error: code, ...data }));
    for (const one of texts) {
      expect(one, code).not.toMatch(/server:|{{|undefined|NaN|\[object/);
    }
    expect(texts[1], code).toMatch(/[\u4e00-\u9fff]/);
    expect(texts[1], code).not.toBe(texts[0]);
  }
});

test('no other code is returned by the gateway', () => {
  const files = listFiles('services/gateway', /(?<!test)\.ts$/).map(read);
  const named = files.flatMap((text) =>
    [...text.matchAll(/(?:reject\(|(?:failed|rejected): )'([a-z-]+)'/g)].map(([, code]) => code),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((code) => !Object.keys(english).includes(code ?? ''))).toEqual([]);
});
