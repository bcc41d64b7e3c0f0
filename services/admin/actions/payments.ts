import { randomUUID } from 'node:crypto';
import { Refused } from '@reelbook/http/routes';
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
    resolveUnmatched: (request) => {
      const { signature } = request.params;
      return settle(resolveUnmatched(admin, { signature, to: request.body.to }, actionOf(request)));
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
