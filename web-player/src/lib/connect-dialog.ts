import { createStore } from '@reelbook/web/store';

/** Whether the connect dialog is open; any "Connect wallet" button opens the one dialog of the shell. */
export const connectDialog = createStore(false);

export const openConnectDialog = () => connectDialog.set(true);
