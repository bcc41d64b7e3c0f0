import type { Notification as Notice } from '@reelbook/contract/player/profile';
import { amountText, clockTime, points, shortAddress } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { loadTexts } from './i18n.ts';
import { type Count, unread } from './unread.ts';

/** The text of a notification, from the list or from the live channel. */
type NoticeSource = Pick<Notice, 'kind' | 'facts' | 'title' | 'content'>;

interface Text {
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

/** A `notification` of the live channel; type `unread` has no text. */
export type LiveNotification = Count & NoticeSource & { type: string };

const SHOWN_TYPES: ReadonlySet<string> = new Set(['system', 'transaction']);

/** Counts it, and shows it: as a browser notification where the player allowed it, else as a toast of its kind. */
export function receiveNotification(notification: LiveNotification): void {
  unread.accept(notification);
  if (!SHOWN_TYPES.has(notification.type)) return;
  // Without the texts of the player's language, the text of the ledger is shown.
  void loadTexts()
    .catch(() => undefined)
    .then(() => notify(noticeText(notification), topicOf(notification.kind)));
}

/** The steps after the request of a withdrawal are one notification that changes, as in the list. */
const topicOf = (kind: string) =>
  /^withdrawal-(?!requested)/.test(kind) ? WITHDRAWAL_STEPS : kind;
const WITHDRAWAL_STEPS = 'withdrawal';

function notify(text: Text, topic: string): void {
  if (notifyPermission() === 'granted') {
    showNotification(text, topic === WITHDRAWAL_STEPS ? topic : undefined);
    return;
  }
  // The reels, or the bell, show it: on a phone it would cover the balance.
  if (topic === 'big-win') return;
  const { title, content, lang } = text;
  const line = lang ? `${title}. ${content}` : i18next.t('notifications.toast', { title, content });
  toast(line, 'plain', lang, topic);
}

/** The browser's permission for notifications of this site; null where it has none. */
export function notifyPermission(): NotificationPermission | null {
  return typeof Notification === 'undefined' ? null : Notification.permission;
}

/** `tag`: replaces the one with the same tag. */
function showNotification(
  { title, content, lang = document.documentElement.lang }: Text,
  tag: string | undefined,
): void {
  try {
    new Notification(title, { body: content, icon: '/icon.svg', lang, ...(tag && { tag }) });
  } catch {
    // Some mobile browsers have the class but refuse to construct it: then only the bell shows it.
  }
}
