/**
 * What a player may append without money. The ledger deletes nothing, so a wallet has two budgets for the events that cost
 * it nothing: `freeMs` for what a player can do without, `budgetMs` for the rest. They are part of the stream's state: all
 * gateways share them, and a restart resets nothing.
 *
 * Such an act uses up units of time, each a share of the day. The budget is the time at which all of it is regained; the
 * event has it in its data, so that a replay needs neither a clock nor the terms. An act is refused if it would use up time
 * further ahead than its days. A round gives time back to both, because its stake pays.
 *
 * The days are an order of precedence, because an act cannot use up the days that only others reach: the holder of a
 * stolen session cannot prevent a login, which needs the wallet's key.
 */
import { assert } from '../assert.ts';
import { DAY_MS, MINUTE_MS } from '../calendar.ts';
import { type Rejection, reject } from '../rejections.ts';

export interface Cost {
  /** One for about 700 bytes, with the rows that belong to them. */
  readonly units: number;
  readonly days: number;
  readonly budget: keyof Budgeted;
}

export interface BudgetTerms {
  readonly nowMs: number;
  /** Units that a wallet regains in a day. */
  readonly unitsPerDay: number;
}

/** A state, or the data of the last event of a counted command. Earlier builds had `budgetMs` alone. */
export interface Budgeted {
  readonly budgetMs?: number;
  readonly freeMs?: number;
}

/** What a round gives back: a unit of the default terms. A constant, because the state follows from the events alone. */
const ROUND_GIVES_MS = 15 * MINUTE_MS;

/** Above the days of every act: only a clock that was wrong recorded such a time, and it must not refuse logins. */
const NEVER_AHEAD_MS = 11 * DAY_MS;

/** The budget of the cost after an act, or its refusal. */
export function spend(state: Budgeted, cost: Cost, terms: BudgetTerms): number | Rejection {
  const { nowMs, unitsPerDay } = terms;
  assert(Number.isSafeInteger(nowMs) && unitsPerDay >= 1, 'the terms of a budget');
  const usedMs = state[cost.budget] ?? 0;
  const fromMs = usedMs > nowMs && usedMs < nowMs + NEVER_AHEAD_MS ? usedMs : nowMs;
  const spentMs = fromMs + Math.ceil((cost.units * DAY_MS) / unitsPerDay);
  const retryMs = spentMs - cost.days * DAY_MS;
  return retryMs > nowMs ? reject('too-many-free-acts', { retryMs }) : spentMs;
}

/** The budgets after an event. */
export function budgetsAfter(
  state: Budgeted,
  { type, data }: { readonly type: string; readonly data: object },
): Budgeted {
  const { budgetMs = state.budgetMs, freeMs = state.freeMs } = data as Budgeted;
  const givenMs = type === 'BetPlaced' ? ROUND_GIVES_MS : 0;
  return {
    ...(budgetMs !== undefined && { budgetMs: budgetMs - givenMs }),
    ...(freeMs !== undefined && { freeMs: freeMs - givenMs }),
  };
}
