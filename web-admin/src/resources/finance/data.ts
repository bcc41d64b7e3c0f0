import type { AdminData } from '@reelbook/contract/admin/routes';

export type ReturnRow = AdminData<'returns'>['rows'][number];
