import type { AdminData } from '@reelbook/contract/admin/routes';
import { useState } from 'react';
import { refreshAll } from '../../lib/queries.ts';
import { toastRefusal } from '../../lib/refusal-words.ts';

export type Job = AdminData<'job'>;

/** Starts or stops long work; what is refused is said beside the page. */
export function useStart() {
  const [busy, setBusy] = useState(false);
  async function run(act: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await act();
      refreshAll();
    } catch (error) {
      toastRefusal(error);
    } finally {
      setBusy(false);
    }
  }
  return { busy, start: (act: () => Promise<unknown>) => void run(act) };
}

/** How much of it is done, 0 to 1. */
export const shareOf = ({ done, total }: Job) => (total > 0 ? done / total : 0);
