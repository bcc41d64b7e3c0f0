import { Type } from 'typebox';
import { KeyHeaders } from '../schemas/common.ts';
import { operatorPaths } from './operator-paths.ts';
import {
  AddOperatorBody,
  Done,
  Operator,
  OperatorParams,
  ReasonBody,
  RoleBody,
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
    summary: 'Make a wallet an operator',
    tag: 'operators',
    headers: KeyHeaders,
    body: AddOperatorBody,
    data: Done,
  },
  changeRole: {
    ...operatorPaths.changeRole,
    summary: 'Give an operator another role; it holds from the next call on',
    tag: 'operators',
    headers: KeyHeaders,
    params: OperatorParams,
    body: RoleBody,
    data: Done,
  },
  revokeOperator: {
    ...operatorPaths.revokeOperator,
    summary: 'An operator no more; every session ends at once',
    tag: 'operators',
    headers: KeyHeaders,
    params: OperatorParams,
    body: ReasonBody,
    data: Done,
  },
} as const;
