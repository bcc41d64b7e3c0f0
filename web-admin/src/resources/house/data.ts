import type { AdminData } from '@reelbook/contract/admin/client';

export type ReturnRow = AdminData<'returns'>['rows'][number];
