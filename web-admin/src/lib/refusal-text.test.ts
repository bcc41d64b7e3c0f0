import { ApiError } from '@reelbook/contract/client';
import { refusals } from '@reelbook/contract/english';
import { answerTo, type Failure } from '@reelbook/contract/errors';
import { reject, rejectConfig } from '@reelbook/ledger/rejections';
import { common } from '@reelbook/web/locales/zh';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { zh } from '../locales/zh.ts';
import { zhRefusals } from '../locales/zh-refusals.ts';
import { FREE_FIGURES, textOf } from './refusal-text.ts';

beforeAll(async () => {
  await i18next.init({
    lng: 'zh',
    fallbackLng: false,
    resources: { zh: { console: zh, refusals: zhRefusals } },
    interpolation: { escapeValue: false },
  });
});

const refusal = (cause: Parameters<typeof answerTo>[0]) => {
  const { status, body } = answerTo(cause);
  return new ApiError(status, body.message, body.data);
};

/** The figures that the server's English text of an error uses. */
function figuresOf(code: string): string[] {
  const text = (refusals as Readonly<Record<string, string>>)[code];
  const isFree = code === 'bad-input' || code === 'not-found' || code === 'method-not-allowed';
  if (text !== undefined && !isFree) {
    return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  }
  const read = new Set<string>();
  const detail = new Proxy<Record<string, string | number | bigint>>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        if (name === 'asset') return 'points';
        return String(name).endsWith('Minor') ? 1n : 1;
      },
    },
  );
  answerTo({ failed: code as Failure['failed'], detail: detail as never });
  return [...read].map((name) => name.replace(/Minor$/, ''));
}

test('each error text uses the figures of the English text, and ends with free text', () => {
  for (const [code, text] of Object.entries(zhRefusals)) {
    const named = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');
    // The asset is part of its amount, `retryMs` is a header. The page shows the end of an exclusion.
    const expected = figuresOf(code).filter(
      (name) => !['asset', 'until', 'retryMs'].includes(name),
    );
    expect([...named].sort(), code).toEqual(expected.sort());
    const free = named.find((name) => FREE_FIGURES.includes(name));
    if (free !== undefined) expect(text, code).toMatch(/：\{\{\w+\}\}$/);
  }
});

test('translates an error by its code, with exact amounts and terms', () => {
  const [usedMinor, maxMinor] = [90_000_000_000_000_001n, 100_000_000_000_000_000n];
  const used = reject('operator-allowance-used', { asset: 'token', usedMinor, maxMinor });
  expect(textOf(refusal(used))).toEqual({
    translated:
      '一名操作员每天对所有玩家合计最多单独调整 100,000,000.00 BSM，您今天已调整 90,000,000.000000001 BSM：须由另一名操作员处理，或您明天（UTC）再来',
    english: '',
  });
  const role = { needs: 'admin', role: 'viewer' };
  expect(textOf(refusal({ failed: 'role-too-low', detail: role })).translated).toBe(
    '此操作需要管理员角色，您是查看员。此次尝试已记录',
  );
  const stage = reject('withdrawal-not-signed', { stage: 'approved' });
  expect(textOf(refusal(stage)).translated).toMatch(/状态为已批准$/);
  const beyond = reject('adjustment-beyond-balance', { asset: 'points', ownedMinor: 1_250n });
  expect(textOf(refusal(beyond)).translated).toBe('余额不能为负：玩家现有 12.50 积分');
});

test('faults of a configuration are in Chinese, and what a person typed is unchanged', () => {
  const value = '{{path}} $t(console:unit.points) $1';
  const invalid = rejectConfig(
    { code: 'setting-value-invalid', facts: { path: 'bigWinMultiple', value } },
    { code: 'rates-gain', facts: {} },
  );
  expect(textOf(refusal(invalid))).toEqual({
    translated: `配置被拒绝：bigWinMultiple 不能是“${value}”；两个汇率之积大于 1：来回兑换会获利`,
    english: '',
  });
  const newer = { code: 'moon', facts: {}, text: 'the moon is full' };
  const data = { error: 'config-invalid', fault: newer.text, faults: [newer] };
  expect(textOf(new ApiError(422, '', data)).translated).toBe('配置被拒绝：the moon is full');
});

test('keeps untranslated parts in English, separate from translated ones', () => {
  const problem = '{{why}} $t(console:unit.points) is not a number';
  expect(textOf(refusal({ failed: 'bad-input', detail: { problem } }))).toEqual({
    translated: '请求有误：',
    english: problem,
  });
  const newer = new ApiError(409, 'moon is not ready', { error: 'moon' });
  expect(textOf(newer)).toEqual({ translated: '', english: 'moon is not ready' });
  const page = new ApiError(502, 'Bad Gateway', null);
  expect(textOf(page)).toEqual({ translated: '', english: 'Bad Gateway' });
  const nothing = new ApiError(0, 'No connection', null);
  expect(textOf(nothing)).toEqual({ translated: common.unreachable, english: '' });
});
