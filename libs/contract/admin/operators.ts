import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { Type } from 'typebox';
import { closed, KeyHeaders, nullableText } from '../common.ts';
import { adminTopic } from '../route.ts';
import { Done, Reason, ReasonBody, RoleDone, RoleName, Wallet } from './common.ts';

export const Operator = Type.Object({
  operator: Wallet,
  role: Type.Unsafe<Role | null>({
    type: ['string', 'null'],
    enum: [...ROLES, null],
    description: 'null if revoked',
  }),
  name: nullableText(),
});

/** Of current and former operators. */
const OperatorNames = Type.Array(Type.Object({ operator: Wallet, name: Type.String() }));

const OperatorParams = Type.Object({ operator: Wallet });

const call = adminTopic('operators');

export const operatorsRoutes = {
  operators: call('GET', '/operators', 'admin', {
    summary: 'List current and former operators with their roles',
    data: Type.Array(Operator),
  }),
  operatorNames: call('GET', '/operators/names', 'viewer', {
    summary: 'List the names of operators',
    data: OperatorNames,
  }),
  nameOperator: call('PUT', '/operators/:operator/name', 'viewer', {
    summary: 'Set your own name; an admin sets the name of any operator',
    params: OperatorParams,
    headers: KeyHeaders,
    body: closed({
      name: Type.String({ minLength: 1, maxLength: 80, description: 'At most 20 characters' }),
      reason: Reason,
    }),
    data: Done,
  }),
  addOperator: call('POST', '/operators', 'admin', {
    summary: 'Propose a new operator; another admin confirms it',
    headers: KeyHeaders,
    body: closed({ operator: Wallet, role: RoleName, reason: Reason }),
    data: RoleDone,
  }),
  changeRole: call('PUT', '/operators/:operator/role', 'admin', {
    summary: 'Lower the role of an operator immediately, or propose a higher one',
    params: OperatorParams,
    headers: KeyHeaders,
    body: closed({ role: RoleName, reason: Reason }),
    data: RoleDone,
  }),
  revokeOperator: call('POST', '/operators/:operator/revoke', 'admin', {
    summary: 'Revoke an operator; all their sessions end immediately',
    params: OperatorParams,
    headers: KeyHeaders,
    body: ReasonBody,
    data: RoleDone,
  }),
};
