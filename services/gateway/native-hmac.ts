import { createHmac } from 'node:crypto';
import type { HmacSha256 } from '@reelbook/fairness/draw';

/** By OpenSSL. The audit and the pages draw with the portable one, so each checks the other. */
export const nativeHmac: HmacSha256 = (key, message) =>
  createHmac('sha256', key).update(message).digest();
