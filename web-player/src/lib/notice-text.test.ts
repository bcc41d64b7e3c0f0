import { WAIT } from '@reelbook/testing/wait';
import { clockTime } from '@reelbook/web/format';
import { toasts } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { beforeAll, expect, test, vi } from 'vitest';
import { enPages } from '../locales/en-pages.ts';
import { zhPages } from '../locales/zh-pages.ts';
import { noticeText, receiveNotification } from './notices.ts';

beforeAll(() =>
  i18next.init({
    lng: 'zh',
    resources: { en: { translation: enPages }, zh: { translation: zhPages } },
    interpolation: { escapeValue: false },
  }),
);

const ledgers = { title: 'In English', content: 'Text of the ledger.' };
const textOf = (kind: string, facts: Parameters<typeof noticeText>[0]['facts']) =>
  noticeText({ kind, facts, ...ledgers });

test('amounts, times and names are in the language of the player', async () => {
  const gave = { asset: 'points', amount: 1200 } as const;
  const got = { asset: 'token', amount: 0.123456789 } as const;
  expect(textOf('exchanged', { gave, got }).content).toBe(
    '付出 1,200.00 积分，收到 0.123456789 BSM。',
  );
  const until = '2031-01-02T03:04:05.000Z';
  expect(textOf('self-excluded', { until: { time: until } }).content).toContain(clockTime(until));
  const limit = { limit: 'loss', period: 'day', amount: gave, reason: 'asked for' };
  expect(textOf('limit-set', limit).content).toContain('亏损：每天最多 1,200.00 积分');
  await i18next.changeLanguage('en');
  const one = { asset: 'points', amount: 1 } as const;
  expect(textOf('welcome', { points: one })).toEqual({
    title: 'Welcome to Reelbook',
    content: 'You start with 1.00 point to play with.',
    lang: undefined,
  });
});

test('a reason is shown as it was written', () => {
  const reason = '{{reason}} $t(nav.home) <b>{points}</b>';
  expect(textOf('suspended', { reason }).content).toContain(`Reason: ${reason}`);
});

test('an unknown kind is shown in the text of the ledger', () => {
  expect(textOf('title', {})).toEqual({ ...ledgers, lang: 'en' });
  expect(textOf('a-new-kind', { what: 'x' })).toEqual({ ...ledgers, lang: 'en' });
});

test('the steps of a withdrawal are one toast that changes, after that of its request', async () => {
  const kinds = ['withdrawal-requested', 'withdrawal-approved', 'withdrawal-sent', 'exchanged'];
  const shown = () => toasts.get().map(({ text }) => text.slice(0, text.indexOf('.')));
  for (const kind of [...kinds, 'withdrawal-paid']) {
    receiveNotification({ kind, facts: {}, ...ledgers, type: 'transaction', ...COUNT });
    await vi.waitFor(() => expect(toasts.get().at(-1)?.text).toMatch(titleOf(kind)), WAIT);
  }
  expect(shown()).toEqual(['Withdrawal requested', 'Exchange done', 'Withdrawal paid']);
});

const COUNT = { unread_count: 1, stream_version: 1 };
const titleOf = (kind: string) =>
  new RegExp(`^${noticeText({ kind, facts: {}, ...ledgers }).title}\\.`);
