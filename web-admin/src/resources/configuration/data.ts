import type { AdminData } from '@reelbook/contract/admin/routes';

export type Values = AdminData<'configuration'>;
/** Typed values, by path. */
export type Draft = Readonly<Record<string, string>>;

export type Change = { readonly path: string; readonly value: string };
