import { createStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { loadTexts } from './i18n.ts';
import { noticeText, type Said, type Text } from './notice-text.ts';

interface Count {
  unread_count: number;
  /** Version of the player's stream that the count belongs to. */
  stream_version: number;
}

/** A `notification` of the live channel; type `unread` has no text. */
export type Target = Count & Said & { type: string };

/** The number of unread notifications; an older count never replaces a newer one. Null while unknown. */
function createUnread() {
  const store = createStore<number | null>(null);
  let version = -1;
  return {
    get: store.get,
    subscribe: store.subscribe,
    accept({ unread_count, stream_version }: Count): void {
      if (stream_version < version) return;
      version = stream_version;
      store.set(unread_count);
    },
    reset(): void {
      version = -1;
      store.set(null);
    },
  };
}

export const unread = createUnread();

const SHOWN_TYPES: ReadonlySet<string> = new Set(['system', 'transaction']);

const QUIET_MS = 5_000;
let quietUntilMs = 0;

/** The page itself shows the result of an action: its notification is counted, but not shown again. */
export function sayItHere(): void {
  quietUntilMs = performance.now() + QUIET_MS;
}

/** Counts it, and shows it: as a browser notification where the player allowed it, else as a toast. */
export function tellNotification(told: Target): void {
  unread.accept(told);
  if (!SHOWN_TYPES.has(told.type)) return;
  const isReportedHere = performance.now() <= quietUntilMs;
  // Without the texts of the player's language, the text of the ledger is shown.
  void loadTexts()
    .catch(() => undefined)
    .then(() => say(noticeText(told), isReportedHere));
}

function say(words: Text, isReportedHere: boolean): void {
  if (notifyPermission() === 'granted') {
    showNotification(words);
    return;
  }
  if (isReportedHere) return;
  const { title, content, lang } = words;
  const text = lang ? `${title}. ${content}` : i18next.t('notifications.told', { title, content });
  toast(text, 'plain', lang);
}

/** The browser's permission for notifications of this site; null where it has none. */
export function notifyPermission(): NotificationPermission | null {
  return typeof Notification === 'undefined' ? null : Notification.permission;
}

function showNotification({ title, content, lang = document.documentElement.lang }: Text): void {
  try {
    new Notification(title, { body: content, icon: '/icon.svg', lang });
  } catch {
    // Some mobile browsers have the class but refuse to construct it: then only the bell shows it.
  }
}
