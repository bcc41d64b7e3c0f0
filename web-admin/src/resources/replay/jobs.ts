import type { AdminData } from '@reelbook/contract/admin/routes';

export type Job = AdminData<'job'>;

/** Progress, 0 to 1. */
export const shareOf = ({ done, total }: Job) => (total > 0 ? done / total : 0);
