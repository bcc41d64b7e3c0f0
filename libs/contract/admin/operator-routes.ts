import { Type } from 'typebox';
import { KeyHeaders } from '../schemas/common.ts';
import { operatorPaths } from './operator-paths.ts';
import {
  AddOperatorBody,
  Operator,
  OperatorParams,
  ReasonBody,
  RoleBody,
  RoleDone,
} from './schemas.ts';

export const operatorRoutes = {
  operators: {
    ...operatorPaths.operators,
    summary: 'Everybody who is or was an operator, and as what',
    tag: 'operators',
    data: Type.Array(Operator),
  },
  addOperator: {
    ...operatorPaths.addOperator,
    summary: 'Propose a wallet as an operator; another admin confirms it',
    tag: 'operators',
    headers: KeyHeaders,
    body: AddOperatorBody,
    data: RoleDone,
  },
  changeRole: {
    ...operatorPaths.changeRole,
    summary: 'Give an operator a lower role at once, or propose a higher one',
    tag: 'operators',
    headers: KeyHeaders,
    params: OperatorParams,
    body: RoleBody,
    data: RoleDone,
  },
  revokeOperator: {
    ...operatorPaths.revokeOperator,
    summary: 'An operator no more; every session ends at once',
    tag: 'operators',
    headers: KeyHeaders,
    params: OperatorParams,
    body: ReasonBody,
    data: RoleDone,
  },
} as const;
