import type { AdminData } from '@reelbook/admin/answers';
import type { AdminQuery } from '@reelbook/contract/admin/routes';

export type ExplorerFilter = Omit<
  NonNullable<AdminQuery<'explorer'>>,
  'before' | 'after' | 'limit'
>;
export type Page = AdminData<'explorer'>;
export type Entry = Page['entries'][number];
