import { onlineManager } from '@tanstack/react-query';

/** Whether the browser has a network, as a store. */
export const online = {
  get: () => onlineManager.isOnline(),
  subscribe: (listener: () => void) => onlineManager.subscribe(listener),
};
