import { type BudgetTerms, spend } from '../player/budget.ts';
import { isRejection, type Rejection, reject } from '../rejections.ts';
import type { OperatorsState } from './state.ts';

/** Actions of an operator that are reserved with one event. */
export const ACTIONS_AT_ONCE = 50;

/** The console reserves actions before it appends more in the operator's name. */
export interface ReserveActions {
  readonly type: 'ReserveActions';
  readonly operator: string;
  readonly budget: BudgetTerms;
}

/**
 * The time at which all actions of the operator are regained, with so many more reserved, or the refusal. Sign-ins have a day
 * more than other actions: a stolen session cannot use it up, because a sign-in needs the wallet's key.
 */
export function reserveActions(
  { budgets = {} }: Pick<OperatorsState, 'budgets'>,
  { operator, budget }: Omit<ReserveActions, 'type'>,
  days: number,
): number | Rejection {
  const budgetMs = (Object.hasOwn(budgets, operator) && budgets[operator]) || 0;
  const cost = { units: ACTIONS_AT_ONCE, days, budget: 'budgetMs' } as const;
  const spentMs = spend({ budgetMs }, cost, budget);
  return isRejection(spentMs) ? reject('operator-actions-used', spentMs.detail) : spentMs;
}
