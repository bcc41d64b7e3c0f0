import { assert } from '../assert.ts';
import { type DescriptorsOf, movesNothing } from '../descriptor.ts';
import type { Agreed } from '../proposals.ts';
import { type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { Loss, LostAnchor, LostPayment } from './loss.ts';
import { mayActAlone } from './roles.ts';

/** The command `restored`, which audited the ledger and compared it with NATS and the chain. */
export const RESTORED_COMMAND = 'system:restored-command';

/** Payments and anchors that one restore names; a further restore names the others. */
export const LOST_MAX = 200;

/** Events between the head that the ledger went back to and the command: services may not go on before it. */
export const UNRECORDED_MAX = 1_000;

/** Epochs count the restores. A process that knows a later position accepts a shorter ledger only with a higher epoch. */
export interface LedgerRestored {
  readonly type: 'LedgerRestored';
  readonly data: Loss & {
    readonly epoch: number;
    readonly reason: string;
    /** Missing while the shell may act alone. */
    readonly proposal?: Agreed;
  };
}

export interface RestoreLedger {
  readonly type: 'RestoreLedger';
  readonly loss: Loss;
  readonly by: string;
  readonly reason: string;
}

export interface Restores {
  readonly epoch: number;
  /** By signature, of all restores. */
  readonly lost: Readonly<Record<string, LostPayment | LostAnchor>>;
}

const NONE: Restores = { epoch: 0, lost: {} };

interface Restored {
  readonly restores?: Restores | undefined;
}

export const restoresOf = ({ restores = NONE }: Restored): Restores => restores;

export const RESTORE_EVENTS: DescriptorsOf<LedgerRestored> = {
  LedgerRestored: movesNothing(21, null, [
    'ledger restored to #{position}, epoch {epoch}, lost up to #{lostTo} with {count} payments: {reason}',
    ({ position, epoch, lostTo, payments, reason }) => ({
      position,
      epoch,
      lostTo,
      count: payments.length,
      reason,
    }),
  ]),
};

/** Until two admins have been added, the shell acts alone, as for roles; `needs-two-people` afterwards. */
export function restoreLedger(
  state: Restored & { readonly adminsEver: number },
  { loss, by, reason }: RestoreLedger,
): readonly LedgerRestored[] | Rejection {
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  return mayActAlone(by, state.adminsEver)
    ? [restoredTo(state, loss, reason)]
    : reject('needs-two-people');
}

/** The effect. A restore that was proposed before another one compared another epoch, and is outdated by it. */
export function restoredTo(
  state: Restored,
  loss: Loss,
  reason: string,
  agreed?: Agreed,
): LedgerRestored {
  const { position, hash, lostTo, payments, anchors } = loss;
  assert(/^[0-9a-f]{64}$/.test(hash), 'a restored ledger has a head');
  assert(Number.isSafeInteger(lostTo) && lostTo >= position, 'lost events come after the head');
  assert(payments.length <= LOST_MAX && anchors.length <= LOST_MAX, 'a restore names a few');
  const epoch = restoresOf(state).epoch + 1;
  return {
    type: 'LedgerRestored',
    data: { ...loss, epoch, reason, ...(agreed && { proposal: agreed }) },
  };
}

export function evolveRestores(state: Restored, { data }: LedgerRestored): Restores {
  const { epoch, payments, anchors } = data;
  const named = [...payments, ...anchors].map((one) => [one.signature, one] as const);
  return { epoch, lost: { ...restoresOf(state).lost, ...Object.fromEntries(named) } };
}

/** The lost payments of the chain with the id and the amount of a withdrawal. */
export function lostPaymentsOf(
  state: Restored,
  due: { readonly withdrawal: string; readonly netMinor: bigint },
): readonly LostPayment[] {
  return Object.values(restoresOf(state).lost).flatMap((one) =>
    'withdrawal' in one && one.withdrawal === due.withdrawal && one.netMinor === due.netMinor
      ? [one]
      : [],
  );
}
