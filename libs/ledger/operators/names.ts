import { appearanceOf, NICKNAME_MAX_CHARACTERS, readNickname } from '../player/nickname.ts';
import { isRejection, type Rejection, reject } from '../rejections.ts';
import { isReason, REASON_MAX_LENGTH } from '../text.ts';
import type { OperatorNamed } from './events.ts';
import { walletOf } from './roles.ts';
import { type OperatorsState, roleOf } from './state.ts';

/** By the operator for their own wallet, or by an admin. */
export interface NameOperator {
  readonly type: 'NameOperator';
  readonly operator: string;
  readonly name: string;
  readonly reason: string;
  /** The actor. */
  readonly by: string;
}

export function nameOperator(
  state: OperatorsState,
  { operator, name, reason, by }: NameOperator,
): readonly OperatorNamed[] | Rejection {
  if (!isReason(reason)) return reject('reason-invalid', { max: REASON_MAX_LENGTH });
  if (roleOf(state, operator) === null) return reject('no-such-operator');
  if (!mayName(by, operator, roleOf(state, walletOf(by)))) return reject('operator-name-not-own');
  const nameAfter = readOperatorName(name);
  if (isRejection(nameAfter)) return nameAfter;
  const nameBefore = nameOf(state, operator);
  if (nameAfter === nameBefore) return [];
  if (isTaken(state.names ?? {}, { operator, name: nameAfter })) {
    return reject('operator-name-taken');
  }
  return [{ type: 'OperatorNamed', data: { operator, nameBefore, nameAfter, reason } }];
}

export function mayName(by: string, operator: string, role: string | null): boolean {
  return walletOf(by) === operator || role === 'admin';
}

/** The name as it is stored, or why it is refused: by the rules of nicknames. */
export function readOperatorName(text: string): string | Rejection {
  const name = readNickname(text);
  if (!isRejection(name)) return name;
  if (name.rejected === 'nickname-reserved') return reject('operator-name-reserved');
  return reject('operator-name-invalid', { max: NICKNAME_MAX_CHARACTERS });
}

/** Whether another operator, also a revoked one, has a name that looks the same. */
export function isTaken(
  names: Readonly<Record<string, string>>,
  { operator, name }: { readonly operator: string; readonly name: string },
): boolean {
  const appearance = appearanceOf(name);
  return Object.entries(names).some(
    ([other, taken]) => other !== operator && appearanceOf(taken) === appearance,
  );
}

/** The current name of a wallet; null if it has none. */
export function nameOf({ names = {} }: Pick<OperatorsState, 'names'>, wallet: string) {
  return Object.hasOwn(names, wallet) ? (names[wallet] ?? null) : null;
}
