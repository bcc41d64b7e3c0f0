import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { Type } from 'typebox';
import { closed, KeyHeaders } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Reason, ReasonBody, RoleDone, RoleName, Wallet } from './common.ts';

export const Operator = Type.Object({
  operator: Wallet,
  role: Type.Unsafe<Role | null>({
    type: ['string', 'null'],
    enum: [...ROLES, null],
    description: 'null: revoked',
  }),
});

const OperatorParams = Type.Object({ operator: Wallet });

const call = adminTopic('operators');

export const operatorsRoutes = {
  operators: call('GET', '/operators', 'admin', {
    summary: 'Everybody who is or was an operator, and as what',
    data: Type.Array(Operator),
  }),
  addOperator: call('POST', '/operators', 'admin', {
    summary: 'Propose a wallet as an operator; another admin confirms it',
    headers: KeyHeaders,
    body: closed({ operator: Wallet, role: RoleName, reason: Reason }),
    data: RoleDone,
  }),
  changeRole: call('PUT', '/operators/:operator/role', 'admin', {
    summary: 'Give an operator a lower role at once, or propose a higher one',
    params: OperatorParams,
    headers: KeyHeaders,
    body: closed({ role: RoleName, reason: Reason }),
    data: RoleDone,
  }),
  revokeOperator: call('POST', '/operators/:operator/revoke', 'admin', {
    summary: 'An operator no more; every session ends at once',
    params: OperatorParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: RoleDone,
  }),
};
