import { CONFIG_FAULTS } from '@reelbook/ledger/config/fault-codes';
import { HOLDS } from '@reelbook/ledger/holds';
import type { Fact } from '@reelbook/ledger/player/notice-facts';
import { expect, test } from 'vitest';
import {
  configFaults,
  depositFaultText,
  holds,
  holdText,
  type notices,
  noticeText,
  riskText,
} from './english.ts';

const points = (minor: bigint) => ({ asset: 'points', minor }) as const;
const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
const contentOf = (kind: keyof typeof notices, facts: Readonly<Record<string, Fact>>) =>
  noticeText({ kind, facts }).content;

test('a notification contains its amounts, times and names of limits', () => {
  expect(noticeText({ kind: 'welcome', facts: { points: points(100n) } })).toEqual({
    title: 'Welcome to Reelbook',
    content: 'You start with 1 point to play with.',
  });
  const atMs = Date.parse('2026-11-22T12:00:00Z');
  expect(contentOf('self-excluded', { until: { atMs } })).toBe(
    'You cannot bet or deposit until 2026-11-22 12:00 UTC. You can always withdraw.',
  );
  const paid = { gross: token(100n * 10n ** 9n), net: token(95n * 10n ** 9n), fee: token(5n) };
  expect(contentOf('withdrawal-requested', { ...paid, to: 'an address' })).toBe(
    '100 BSM set aside: 95 BSM will be sent to an address, the fee is 0.000000005 BSM.',
  );
  const limit = { limit: 'loss', period: 'day', amount: points(500n), reason: 'asked for' };
  expect(contentOf('limit-set', limit)).toBe(
    'An operator set you a limit. Losses: at most 5 points within a day. Reason: asked for',
  );
  const reason = '{{reason}} $& $1';
  expect(contentOf('suspended', { reason })).toMatch(/Reason: \{\{reason\}\} \$& \$1$/);
});

test('the reason of a hold contains its facts, alone and in a risk', () => {
  const hold = { code: 'needs-operators', facts: { approvals: 1, needed: 2 } } as const;
  const text = 'awaiting approval, 1 of 2';
  expect(holdText(hold)).toBe(text);
  expect(riskText('on-hold', { why: { hold } })).toBe(text);
});

test('a deposit fault is its English text; a text that is stored in place of a code is shown as it is', () => {
  expect(depositFaultText('wrong-sender')).toBe('it came from another wallet than yours');
  expect(depositFaultText('it moved no token')).toBe('it moved no token');
  expect(depositFaultText('constructor')).toBe('constructor');
});

test.each<[string, object, Readonly<Record<string, string>>]>([
  ['reason to wait', HOLDS, holds],
  ['fault of a configuration', CONFIG_FAULTS, configFaults],
])('each %s has a text that names exactly its facts', (_what, codes, texts) => {
  const named = Object.entries(texts).map(([code, text]) => [
    code,
    [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name),
  ]);
  expect(Object.fromEntries(named)).toEqual(codes);
});

test('a missing fact throws', () => {
  expect(() => noticeText({ kind: 'welcome', facts: {} })).toThrow('every placeholder');
});
