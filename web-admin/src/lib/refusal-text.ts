import { ApiError } from '@reelbook/contract/client';
import type { ErrorData, FaultAnswer, Figure } from '@reelbook/contract/common';
import type { Asset } from '@reelbook/ledger/money';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { amountText, unitOf } from './amounts.ts';

/** Figures that are free text of the server's, in English. They end their sentence. */
export const FREE_FIGURES: readonly string[] = ['fault', 'problem', 'what', 'why'];

/** `own` in the language of the page, then what there is in the server's English alone; either may be empty. */
export interface RefusalText {
  readonly own: string;
  readonly english: string;
}

/** Why something did not come about: by code and figures of the answer; a code without words here in the server's. */
export function textOf(error: unknown): RefusalText {
  if (!(error instanceof ApiError) || error.code === 0) {
    return {
      own: i18next.t('console:common.unreachable'),
      english: '',
    };
  }
  const { data, message } = error;
  const code = String(data?.error);
  if (!data || !i18next.exists(code, { ns: 'refusals' })) return { own: '', english: message };
  const own = i18next.t(`refusals:${code}` as 'refusals:internal', figuresOf(data));
  if (Array.isArray(data.faults)) return { own: own + faultsText(data.faults), english: '' };
  const free = FREE_FIGURES.find((name) => name in data);
  return { own, english: free === undefined ? '' : String(data[free]) };
}

function figuresOf(data: ErrorData): Readonly<Record<string, string | number>> {
  const empty = FREE_FIGURES.map((name) => [name, '']);
  const said = Object.entries(data)
    .filter(([name]) => !FREE_FIGURES.includes(name) && name !== 'faults')
    .map(([name, figure]) => [name, figureText(figure as Figure)]);
  return Object.fromEntries([...empty, ...said]);
}

/** Faults of a configuration; one whose code this build does not know in the server's English. */
function faultsText(faults: readonly FaultAnswer[]): string {
  const texts = faults.map(({ code, facts, text }) => {
    const key = `console:configFault.${code}`;
    if (!i18next.exists(key)) return text;
    // Not interpolated: facts contain text that a person typed.
    return i18next
      .t(key as 'console:configFault.rates-gain', { skipInterpolation: true })
      .replace(/\{\{(\w+)\}\}/g, (_, name) => String(facts[name]));
  });
  return texts.join('；');
}

function figureText(figure: Figure): string | number {
  if (typeof figure !== 'object') return figure;
  const asset = figure.asset as Asset;
  return `${amountText({ asset, minor: figure.minor })} ${unitOf(asset)}`;
}

/** Says beside the page why something did not come about. */
export function toastRefusal(error: unknown): void {
  const { own, english } = textOf(error);
  toast(own + english, 'bad', own === '' ? 'en' : undefined);
}
