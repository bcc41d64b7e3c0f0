import { paths } from './paths.ts';
import { KeyHeaders } from './schemas/common.ts';
import {
  DepositBody,
  DepositIntentBody,
  DepositIntentResult,
  DepositResult,
  WithdrawBody,
  WithdrawResult,
} from './schemas/payments.ts';

/** The calls of money over the chain. */
export const paymentRoutes = {
  depositIntent: {
    ...paths.depositIntent,
    summary:
      'Whether so much may be deposited now, with what is on its way; asked before the wallet sends',
    tag: 'wallet',
    body: DepositIntentBody,
    data: DepositIntentResult,
  },
  deposit: {
    ...paths.deposit,
    summary: 'Report a transfer to the project wallet; it is credited when it is final',
    tag: 'wallet',
    body: DepositBody,
    data: DepositResult,
  },
  withdraw: {
    ...paths.withdraw,
    summary: 'Send BSM to a Solana wallet; it is set aside at once and paid when it is approved',
    tag: 'wallet',
    headers: KeyHeaders,
    body: WithdrawBody,
    data: WithdrawResult,
  },
} as const;
