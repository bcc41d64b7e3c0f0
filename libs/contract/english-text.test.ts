import { HOLDS } from '@reelbook/ledger/holds';
import type { Fact } from '@reelbook/ledger/player/notice-facts';
import { expect, test } from 'vitest';
import { holds, type notices } from './english.ts';
import { holdText, noticeText, riskText } from './english-text.ts';

const points = (minor: bigint) => ({ asset: 'points', minor }) as const;
const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
const said = (kind: keyof typeof notices, facts: Readonly<Record<string, Fact>>) =>
  noticeText({ kind, facts }).content;

test('a notification is said with its amounts, its times and the names of limits', () => {
  expect(noticeText({ kind: 'welcome', facts: { points: points(100n) } })).toEqual({
    title: 'Welcome to Reelbook',
    content: 'You start with 1 point to play with.',
  });
  const atMs = Date.parse('2026-11-22T12:00:00Z');
  expect(said('self-excluded', { until: { atMs } })).toBe(
    'You cannot bet or deposit until 2026-11-22 12:00 UTC. You can always withdraw.',
  );
  const paid = { gross: token(100n * 10n ** 9n), net: token(95n * 10n ** 9n), fee: token(5n) };
  expect(said('withdrawal-requested', paid)).toBe(
    '100 BSM are set aside: 95 BSM will be sent, 0.000000005 BSM are the fee.',
  );
  const limit = { limit: 'loss', period: 'day', amount: points(500n), reason: 'asked for' };
  expect(said('limit-set', limit)).toBe(
    'An operator set you a limit. Losses: at most 5 points within a day. Reason: asked for',
  );
  const reason = '{{reason}} $& $1';
  expect(said('suspended', { reason })).toMatch(/Reason: \{\{reason\}\} \$& \$1$/);
});

test('why a withdrawal waits is said with its figures, alone and within a risk', () => {
  const hold = { code: 'needs-operators', facts: { approvals: 1, needed: 2 } } as const;
  const text = 'awaiting approval, 1 of 2';
  expect(holdText(hold)).toBe(text);
  expect(riskText('on-hold', { why: { hold } })).toBe(text);
});

test('each reason to wait names the figures that the ledger has of it', () => {
  for (const [code, facts] of Object.entries(HOLDS)) {
    const named = [...holds[code as keyof typeof HOLDS].matchAll(/\{\{(\w+)\}\}/g)];
    expect(
      named.map(([, name]) => name),
      code,
    ).toEqual(facts);
  }
});

test('a text whose figure is missing is a fault, not half a text', () => {
  expect(() => noticeText({ kind: 'welcome', facts: {} })).toThrow('every figure');
});
