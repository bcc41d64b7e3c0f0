import type { Admin, AdminHandlers } from '../context.ts';
import { readMe } from './me.ts';

/** What changes nothing: one file a read. */
export function readHandlers(admin: Admin) {
  return {
    me: async (request) => ({ data: await readMe(admin, request) }),
  } satisfies Partial<AdminHandlers>;
}
