import type { RejectionCode } from '@reelbook/ledger/rejections';
import type { Words } from '../errors.ts';

/** The words that operators hear. */

type OperatorCode = Extract<RejectionCode, `operator${string}` | 'no-such-operator'>;

/** What the service of operators refuses by itself. */
export type AdminFailureCode = 'role-too-low' | 'link-dead';

export const adminAnswers: Readonly<
  Record<OperatorCode | AdminFailureCode, readonly [status: number, words: Words]>
> = {
  'role-too-low': [
    403,
    (d) => `this needs the role ${d.needs}; yours is ${d.role}. The attempt is on record`,
  ],
  'link-dead': [
    403,
    'this link was used already, or has expired; a new start of the standalone prints new ones',
  ],
  'operator-wallet-invalid': [400, 'operator must be the address of a Solana wallet'],
  'operator-unknown': [403, 'this wallet is no operator here. The attempt is on record'],
  'operator-known': [409, (d) => `this wallet is an operator already, as ${d.role}`],
  'no-such-operator': [404, 'this wallet is no operator'],
  'operators-too-many': [409, (d) => `there are ${d.max} operators, which is the most`],
  'operator-last-admin': [409, 'this is the last admin: make another one first'],
};
