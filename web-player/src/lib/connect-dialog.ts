import { createStore } from '@reelbook/web/store';

/** Whether the connect dialog is open; every "Connect wallet" button opens the shell's dialog. */
export const connectDialog = createStore(false);

export const openConnectDialog = () => connectDialog.set(true);

/** A press before the app had loaded; `theme.js` stored it. */
export function openIfPressedBefore(): void {
  const { dataset } = document.documentElement;
  if (dataset.wants !== 'connect') return;
  delete dataset.wants;
  openConnectDialog();
}
