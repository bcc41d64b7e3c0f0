import { isReachable } from '@reelbook/web/components/states';
import { loadPart } from '@reelbook/web/load-part';
import { tabStorage } from '@reelbook/web/storage';
import { createStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { loadTexts } from './i18n.ts';

const WANTS_KEY = 'wants_connect';

/** The shell's dialog, which every connect button opens. It opens when its code and texts are loaded. */
export const connectDialog = createStore<'closed' | 'loading' | 'failed' | 'open'>('closed');

export async function openConnectDialog(): Promise<void> {
  const isAgain = connectDialog.get() === 'failed';
  connectDialog.set('loading');
  // A browser may keep the failure of an import: then only a reload loads it again.
  if (isAgain && (await isReachable())) {
    tabStorage.set(WANTS_KEY, 'yes');
    return location.reload();
  }
  try {
    await loadPart(() =>
      Promise.all([import('../features/session/connect-dialog.tsx'), loadTexts()]),
    );
    connectDialog.set('open');
  } catch {
    connectDialog.set('failed');
    toast(i18next.t('common.unreachable'), 'bad');
  }
}

/** A press before the app had loaded, which `theme.js` stored, or before a reload. */
export function openIfPressedBefore(): void {
  const { dataset } = document.documentElement;
  if (dataset.wants !== 'connect' && !tabStorage.get(WANTS_KEY)) return;
  delete dataset.wants;
  tabStorage.remove(WANTS_KEY);
  void openConnectDialog();
}
