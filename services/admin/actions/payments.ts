import { randomUUID } from 'node:crypto';
import { Refused } from '@reelbook/http/routes';
import { isRejection } from '@reelbook/ledger/rejections';
import {
  type Action,
  approve,
  deny,
  markExpired,
  type Outcome,
  resolveUnmatched,
} from '@reelbook/payments/operator-actions';
import { type Admin, type AdminHandlers, actorOf, type Caller } from '../context.ts';
import { assertRow } from '../reads/payments.ts';
import { approvalsOf } from './proposals.ts';

/** Decisions of operators on withdrawals and unmatched deposits. The command line does the same. */
export function paymentHandlers(admin: Admin) {
  return {
    async approveWithdrawal(request) {
      const { withdrawal } = request.params;
      await assertRow(admin, withdrawal);
      return settle(approve(admin, withdrawal, actionOf(request)));
    },
    denyWithdrawal: (request) => settle(deny(admin, request.params.withdrawal, actionOf(request))),
    markExpired: (request) => {
      const { block_height: blockHeight } = request.body;
      return settle(
        markExpired(admin, request.params.withdrawal, { ...actionOf(request), blockHeight }),
      );
    },
    async resolveUnmatched(request) {
      const what = { ...request.params, to: request.body.to };
      const done = await resolveUnmatched(approvalsOf(admin), what, actionOf(request));
      if (isRejection(done)) throw new Refused(done);
      return { data: { proposal: done.proposal } };
    },
  } satisfies Partial<AdminHandlers>;
}

function actionOf(
  request: Caller & {
    readonly body: { readonly reason: string };
    readonly idempotencyKey: string | undefined;
  },
): Action {
  return {
    by: actorOf(request),
    reason: request.body.reason,
    key: request.idempotencyKey ?? randomUUID(),
    correlation: request.correlation,
  };
}

async function settle(outcome: Promise<Outcome>) {
  const refused = await outcome;
  if (refused) throw new Refused(refused);
  return { data: {} };
}
