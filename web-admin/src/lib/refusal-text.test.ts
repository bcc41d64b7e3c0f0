import { ApiError } from '@reelbook/contract/client';
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

/** The figures that the server's own words of a refusal name. */
function figuresOf(code: string): string[] {
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

test('every refusal names the figures that the server names, and ends with what is free text', () => {
  for (const [code, text] of Object.entries(zhRefusals)) {
    const named = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '');
    // An amount names its asset with it; that an exclusion stands is enough, until when stands on the page.
    const meant = figuresOf(code).filter((name) => name !== 'asset' && name !== 'untilMs');
    expect([...named].sort(), code).toEqual(meant.sort());
    const free = named.find((name) => FREE_FIGURES.includes(name));
    if (free !== undefined) expect(text, code).toMatch(/：\{\{\w+\}\}$/);
  }
});

test('a refusal is said by its code, with exact amounts and the words of the ledger', () => {
  const [usedMinor, maxMinor] = [90_000_000_000_000_001n, 100_000_000_000_000_000n];
  const used = reject('operator-allowance-used', { asset: 'token', usedMinor, maxMinor });
  expect(textOf(refusal(used))).toEqual({
    own: '一名操作员每天对所有玩家合计最多单独调整 100,000,000.00 BSM，您今天已调整 90,000,000.000000001 BSM：须由另一名操作员处理，或您明天（UTC）再来',
    english: '',
  });
  const role = { needs: 'admin', role: 'viewer' };
  expect(textOf(refusal({ failed: 'role-too-low', detail: role })).own).toBe(
    '此操作需要管理员角色，您是查看员。此次尝试已记录',
  );
  const stage = reject('withdrawal-not-signed', { stage: 'approved' });
  expect(textOf(refusal(stage)).own).toMatch(/状态为已批准$/);
  const beyond = reject('adjustment-beyond-balance', { asset: 'points', ownedMinor: 1_250n });
  expect(textOf(refusal(beyond)).own).toBe('余额不能为负：玩家现有 12.50 积分');
});

test('faults of a configuration are in Chinese, and what a person typed is unchanged', () => {
  const value = '{{path}} $t(console:unit.points) $1';
  const invalid = rejectConfig(
    { code: 'setting-value-invalid', facts: { path: 'bigWinMultiple', value } },
    { code: 'rates-gain', facts: {} },
  );
  expect(textOf(refusal(invalid))).toEqual({
    own: `配置被拒绝：bigWinMultiple 不能是“${value}”；两个汇率之积大于 1：来回兑换会获利`,
    english: '',
  });
  const newer = { code: 'moon', facts: {}, text: 'the moon is full' };
  const data = { error: 'config-invalid', fault: newer.text, faults: [newer] };
  expect(textOf(new ApiError(422, '', data)).own).toBe('配置被拒绝：the moon is full');
});

test('what is known in English alone stays as the server said it, apart from what is not', () => {
  const problem = '{{why}} $t(console:unit.points) is no number';
  expect(textOf(refusal({ failed: 'bad-input', detail: { problem } }))).toEqual({
    own: '请求有误：',
    english: problem,
  });
  const newer = new ApiError(409, 'the moon is in the way', { error: 'moon' });
  expect(textOf(newer)).toEqual({ own: '', english: 'the moon is in the way' });
  const page = new ApiError(502, 'Bad Gateway', null);
  expect(textOf(page)).toEqual({ own: '', english: 'Bad Gateway' });
  const nothing = new ApiError(0, 'No connection', null);
  expect(textOf(nothing)).toEqual({ own: common.unreachable, english: '' });
});
