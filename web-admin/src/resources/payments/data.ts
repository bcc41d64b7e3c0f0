import type { AdminData } from '@reelbook/contract/admin/routes';

export type Withdrawal = AdminData<'withdrawals'>['withdrawals'][number];
export type WithdrawalData = AdminData<'withdrawal'>;
