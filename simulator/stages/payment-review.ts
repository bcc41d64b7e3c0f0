import { expect } from 'vitest';
import { type AdminSite, startAdminSite } from './admin-site.ts';
import { type PayingOptions, type PayingSite, startPayingSite } from './paying-site.ts';

/** Where operators review withdrawals: a paying site with its console. */
export interface PaymentReview extends PayingSite {
  readonly admin: AdminSite;
}

/** With a cashier that has seen what the treasury holds, unless `isPaying` is false. */
export async function startPaymentReview({
  isPaying = true,
  ...options
}: PayingOptions & { readonly isPaying?: boolean } = {}): Promise<PaymentReview> {
  const bank = await startPayingSite(options);
  const admin = await startAdminSite(bank.site);
  if (isPaying) {
    await bank.startCashier();
    await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  }
  return {
    ...bank,
    admin,
    async close() {
      await admin.close();
      await bank.close();
    },
  };
}
