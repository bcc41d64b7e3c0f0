import type { CommandExecutor } from '@reelbook/event-store/execute';
import {
  type Execution,
  findIdempotencyKey,
  hashKey,
  type Prepared,
} from '@reelbook/event-store/execution';
import { foldedState } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import { configDecider } from '@reelbook/ledger/config/decide';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { LostPayment } from '@reelbook/ledger/operators/loss';
import { lostPaymentsOf } from '@reelbook/ledger/operators/restores';
import type { OperatorsState } from '@reelbook/ledger/operators/state';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import { TOKEN_PROGRAMS, tokenAccountOf } from '@reelbook/ledger/player/payment-bytes';
import type { PaymentCommand } from '@reelbook/ledger/player/payment-events';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import { openOf } from '@reelbook/ledger/player/withdrawal-state';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import {
  CONFIG_STREAM,
  OPERATORS_STREAM,
  playerStream,
  TREASURY_STREAM,
} from '@reelbook/ledger/streams';
import { isReason, REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { readWalletOf } from '@reelbook/projections/withdrawals/queue';
import type pg from 'pg';
import { type ApprovalSite, propose } from './approvals.ts';
import { type Movement, readUnmatchedOf, resolutionKey } from './movements.ts';

/**
 * The payments review: an operator's actions on withdrawals and unmatched deposits. Each action is one event with the
 * operator as its actor and the reason; a repeated key has no further effect. The admin API and the command line call the
 * same functions.
 */

export interface PaymentReview {
  readonly pool: pg.Pool;
  readonly executor: CommandExecutor;
}

/** `by` is `operator:<wallet>`; `key` is the idempotency key. */
export interface Action {
  readonly by: string;
  readonly reason: string;
  readonly key: string;
  readonly correlation: string;
}

/** Null if the action is done. */
export type Outcome = Rejection | null;

export async function approve(
  review: PaymentReview,
  withdrawal: string,
  act: Action,
): Promise<Outcome> {
  const { by, reason } = act;
  return commandOn(review, act, { type: 'ApproveWithdrawal', withdrawal }, async () => {
    const { config, version } = await readConfig(review.pool);
    const decided = { withdrawal, by, reason, terms: config.withdraw };
    // An earlier approval counts only if its operator may still act.
    const { operators } = (await foldedState(review.pool, operatorsDecider, OPERATORS_STREAM))
      .state;
    const command = { type: 'ApproveWithdrawal', ...decided, operators } as const;
    return { command, configVersion: version };
  });
}

/** The lost payment that the chain has of a withdrawal: of its id, amount and receiver. */
export function lostPaymentOf(
  state: OperatorsState,
  due: Parameters<typeof lostPaymentsOf>[1] & { readonly to: string },
  mint: string,
): LostPayment | null {
  const accounts = TOKEN_PROGRAMS.map((program) => tokenAccountOf(due.to, { mint, program }));
  return lostPaymentsOf(state, due).find(({ to }) => accounts.includes(to)) ?? null;
}

export async function deny(
  review: PaymentReview,
  withdrawal: string,
  act: Action,
): Promise<Outcome> {
  const { by, reason } = act;
  const command = { type: 'DenyWithdrawal', withdrawal, by, reason } as const;
  return commandOn(review, act, command, async (state) => {
    const { state: operators } = await foldedState(review.pool, operatorsDecider, OPERATORS_STREAM);
    const { config } = await readConfig(review.pool);
    const open = openOf(state, withdrawal);
    // The chain has its payment, which the ledger lost: the cashier records it.
    if (open && lostPaymentOf(operators, open, config.token.contract ?? '')) {
      return reject('withdrawal-on-its-way');
    }
    return { command, configVersion: null };
  });
}

/**
 * An operator confirms that the signed attempt is not on the chain and has expired (`blockHeight`: the finalized height
 * that the operator saw). Refused while the attempt may still land.
 */
export async function markExpired(
  review: PaymentReview,
  withdrawal: string,
  act: Action & { readonly blockHeight: number },
): Promise<Outcome> {
  const { by, reason, blockHeight } = act;
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  const evidence = `${by}: ${reason}`;
  const failed = { withdrawal, outcome: 'expired', evidence, blockHeight, by } as const;
  const command = { type: 'FailWithdrawalAttempt', ...failed } as const;
  return commandOn(review, act, command, async (state) => {
    const signature = openOf(state, withdrawal)?.live?.signature ?? '';
    return { command: { ...command, signature }, configVersion: null };
  });
}

type WithdrawalCommand = Extract<PaymentCommand, { readonly withdrawal: string }>;

async function commandOn(
  review: PaymentReview,
  act: Action,
  { type, withdrawal }: Pick<WithdrawalCommand, 'type' | 'withdrawal'>,
  prepare: (state: PlayerState) => Promise<Prepared<WithdrawalCommand> | Rejection>,
): Promise<Outcome> {
  assertOperator(act);
  const wallet = await readWalletOf(review.pool, withdrawal);
  if (wallet === null) return reject('no-such-withdrawal');
  return run(review, {
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: `command:${act.by}:${act.key}`,
    request: { command: type, withdrawal, reason: act.reason },
    meta: { correlation: act.correlation, actor: act.by },
    prepare,
  } as Execution<PlayerState, PaymentCommand, PlayerEvent>);
}

/**
 * Assigns an unmatched deposit to `house` or to `player:<wallet>`, a registered player; above the limit of one operator it
 * is proposed. The first resolution is final; then the cashier credits the player.
 * @returns the number of the proposal, or null if it is resolved.
 */
export async function resolveUnmatched(
  site: ApprovalSite,
  o: { readonly signature: string; readonly to: string },
  act: Action,
): Promise<Rejection | { readonly proposal: number | null }> {
  assertOperator(act);
  const { pool } = site;
  const movement = await readUnmatchedOf(pool, o.signature);
  if (!movement) return reject('no-such-unmatched-deposit');
  if (o.to !== 'house') {
    const wallet = o.to.slice('player:'.length);
    if (act.by === `operator:${wallet}`) return reject('operator-own-wallet');
    const { state } = await foldedState(pool, playerDecider, playerStream(wallet));
    if (!isRegistered(state)) return reject('no-such-player');
  }
  const idempotencyKey = `command:${act.by}:${act.key}`;
  // A call that proposed it has the same answer again, whatever has been decided since.
  if (!(await findIdempotencyKey(pool, hashKey(idempotencyKey)))) {
    const refused = await resolveMovement(site, movement, { ...act, to: o.to });
    if (refused?.rejected !== 'needs-two-people') return refused ?? { proposal: null };
  }
  const { signature, tokenAccount, deltaMinor: amountMinor } = movement;
  const command = { signature, tokenAccount, amountMinor, to: o.to };
  const proposed = { kind: 'unmatched', target: TREASURY_STREAM, command } as const;
  const request = { command: 'ResolveUnmatched', ...o, reason: act.reason };
  const executed = await propose(site, proposed, { ...act, request, idempotencyKey });
  if (executed.kind === 'refused') return executed.rejection;
  const event = executed.kind === 'done' ? executed.events[0]?.event : undefined;
  return event?.type === 'Proposed' ? { proposal: event.data.number } : reject('decided-otherwise');
}

/** Like resolveUnmatched, with a movement that was read from the ledger and without a proposal. */
export async function resolveMovement(
  review: PaymentReview,
  movement: Movement,
  o: { readonly to: string } & Omit<Action, 'key'>,
): Promise<Outcome> {
  const { signature, tokenAccount, deltaMinor: amountMinor } = movement;
  const resolution = { signature, tokenAccount, amountMinor, to: o.to, by: o.by, reason: o.reason };
  return run(review, {
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: resolutionKey(movement),
    request: { to: o.to },
    meta: { correlation: o.correlation, actor: o.by },
    async prepare() {
      const { config, version } = await readConfig(review.pool);
      const { singleOperatorMaxTokenMinor } = config.adjust;
      const decided = { ...resolution, singleOperatorMaxTokenMinor };
      const command = { type: 'ResolveUnmatchedDeposit' as const, ...decided };
      return { command, configVersion: version };
    },
  });
}

async function run<State, Command, Event extends { type: string; data: object }>(
  { executor }: PaymentReview,
  execution: Execution<State, Command, Event>,
): Promise<Outcome> {
  const executed = await executor.execute(execution);
  if (executed.kind === 'refused') return executed.rejection;
  // Another decision was first, or the key belongs to another action.
  return executed.kind === 'key-reused' ? reject('decided-otherwise') : null;
}

export async function readConfig(pool: pg.Pool) {
  const { state, version } = await foldedState(pool, configDecider, CONFIG_STREAM);
  assert(state.config, 'the ledger is configured');
  return { config: state.config, version };
}

function assertOperator({ by }: Pick<Action, 'by'>): void {
  assert(by.startsWith('operator:') && by.length > 'operator:'.length, 'an operator acts');
}
