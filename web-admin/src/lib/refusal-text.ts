import { ApiError } from '@reelbook/contract/client';
import type { ErrorData, FaultAnswer, Figure } from '@reelbook/contract/common';
import type { Asset } from '@reelbook/ledger/money';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { amountText, unitOf } from './amounts.ts';

/** Figures that are free text in English. They end the translated text. */
export const FREE_FIGURES: readonly string[] = ['fault', 'problem', 'what', 'why'];

/** `translated` is followed by `english`, the untranslated part. Either may be empty. */
export interface RefusalText {
  readonly translated: string;
  readonly english: string;
}

/** The text of an error, by its code and figures. A code without a translation uses the server's English text. */
export function textOf(error: unknown): RefusalText {
  if (!(error instanceof ApiError) || error.code === 0) {
    return {
      translated: i18next.t('console:common.unreachable'),
      english: '',
    };
  }
  const { data, message } = error;
  const code = String(data?.error);
  if (!data || !i18next.exists(code, { ns: 'refusals' }))
    return { translated: '', english: message };
  const translated = i18next.t(`refusals:${code}` as 'refusals:internal', figuresOf(data));
  if (Array.isArray(data.faults))
    return { translated: translated + faultsText(data.faults), english: '' };
  const free = FREE_FIGURES.find((name) => name in data);
  return { translated, english: free === undefined ? '' : String(data[free]) };
}

function figuresOf(data: ErrorData): Readonly<Record<string, string | number>> {
  const empty = FREE_FIGURES.map((name) => [name, '']);
  const filled = Object.entries(data)
    .filter(([name]) => !FREE_FIGURES.includes(name) && name !== 'faults')
    .map(([name, figure]) => [name, figureText(figure as Figure)]);
  return Object.fromEntries([...empty, ...filled]);
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

/** Shows an error as a toast. */
export function toastRefusal(error: unknown): void {
  const { translated, english } = textOf(error);
  toast(translated + english, 'bad', translated === '' ? 'en' : undefined);
}
