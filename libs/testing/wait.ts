/** How long a test waits for what must happen, and how often it looks, in milliseconds. Only a failing test waits so long. */
export const WAIT = { timeout: 180_000, interval: 25 };
