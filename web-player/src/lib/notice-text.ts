import type { Notification } from '@reelbook/contract/player/profile';
import { amountText, clockTime, points, shortAddress } from '@reelbook/web/format';
import i18next from 'i18next';

/** The text of a notification, from the list or from the live channel. */
export type NoticeSource = Pick<Notification, 'kind' | 'facts' | 'title' | 'content'>;

export interface Text {
  title: string;
  content: string;
  /** `lang` of the text when it differs from the page's. */
  lang: string | undefined;
}

type Kind = keyof typeof import('@reelbook/contract/english')['notices'];

/** A notification in the player's language; an unknown kind in the text of the ledger. */
export function noticeText({ kind, facts, title, content }: NoticeSource): Text {
  const key = `notices.${kind as Kind}` as const;
  if (!i18next.exists(`${key}.title`)) return { title, content, lang: 'en' };
  const figures = Object.entries(facts ?? {}).map(([name, fact]) => [name, factText(name, fact)]);
  return {
    title: i18next.t(`${key}.title`),
    content: i18next.t(`${key}.content`, Object.fromEntries(figures)),
    lang: undefined,
  };
}

function factText(name: string, fact: NoticeSource['facts'][string]): string {
  if (typeof fact === 'object') {
    if ('time' in fact) return clockTime(fact.time);
    const { asset, amount } = fact;
    if (asset === 'token') return `${amountText(asset, amount)} BSM`;
    return i18next.t('games.points', { count: amount, amount: points(amount) });
  }
  if (name === 'to') return shortAddress(String(fact));
  // The two facts that are identifiers of the ledger, not figures.
  if (name === 'limit') return i18next.t(`limits.kind.${fact as 'loss'}`);
  if (name === 'period') return i18next.t(`limits.period.${fact as 'day'}`);
  return String(fact);
}
