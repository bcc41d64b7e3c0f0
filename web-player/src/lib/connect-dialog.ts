import { createStore } from '@reelbook/web/store';

/** Whether the connect dialog is open; any "Connect wallet" button opens the one dialog of the shell. */
export const connectDialog = createStore(false);

export const openConnectDialog = () => connectDialog.set(true);

/** A press on the page as it stood before the app was there; `theme.js` has noted it. */
export function openIfPressedBefore(): void {
  const { dataset } = document.documentElement;
  if (dataset.wants !== 'connect') return;
  delete dataset.wants;
  openConnectDialog();
}
