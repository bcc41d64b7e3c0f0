import { ApiError } from '@reelbook/contract/client';
import type { Protection } from '@reelbook/contract/player/protection';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keepProtection } from '../../lib/protection.ts';

/** Sends one change and shows what the book says afterwards; a refusal is told in the server's words. */
export function useProtect() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  async function protect(act: () => Promise<Protection>, done: string): Promise<boolean> {
    setBusy(true);
    try {
      keepProtection(await act());
      toast(done, 'good');
      return true;
    } catch (error) {
      const refused = error instanceof ApiError && error.code > 0 && error.code < 500;
      if (refused) toast(error.message, 'bad', 'en');
      else toast(t('limits.failed'), 'bad');
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { busy, protect };
}
