import type { AdminData } from '@reelbook/admin/answers';
import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { Badge } from '@reelbook/web/components/badge';
import { buttonClass } from '@reelbook/web/components/button';
import { useStore } from '@reelbook/web/store';
import { Link } from 'react-router';
import {
  type Action,
  Actions,
  formAction,
  radioField,
  textField,
} from '../../components/actions.tsx';
import { ListPanel } from '../../components/table.tsx';
import { explorerPath } from '../../lib/paths.ts';
import { CALM, useRead } from '../../lib/queries.ts';
import { ROLE_NAMES, session } from '../../lib/session-store.ts';

const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Sets the name that operators see with the wallet of an operator. */
export const nameAction = (operator: string, before: string | null): Action =>
  formAction({
    label: 'Set name',
    role: 'admin',
    text: 'All operators see the name with the wallet, in the console and in the history. Players do not see it.',
    fields: { typed: textField('Name', 80, before ?? '', false) },
    act: ({ typed }) => {
      const name = typed.trim();
      if (name === '' || name === before) return null;
      return { call: 'nameOperator', params: { operator }, body: { name } };
    },
  });

const ROLE_TEXT =
  'Granting or raising a role needs confirmation by another admin after a waiting period. Lowering a role takes effect immediately.';

const roleField = (initial: Role) =>
  radioField(
    'Role',
    {
      viewer: [ROLE_NAMES.viewer, 'can view everything'],
      auditor: [ROLE_NAMES.auditor, 'can also audit and export'],
      operator: [ROLE_NAMES.operator, 'can also manage players, payments and switches'],
      admin: [ROLE_NAMES.admin, 'can also change the configuration and the operators'],
    },
    initial,
  );

const add = formAction({
  label: 'Add operator',
  look: 'primary',
  role: 'admin',
  text: ROLE_TEXT,
  fields: { wallet: textField('Wallet', 44), role: roleField('viewer') },
  act: ({ wallet, role }) =>
    WALLET.test(wallet.trim())
      ? { call: 'addOperator', body: { operator: wallet.trim(), role } }
      : null,
});

type Operator = AdminData<'operators'>[number];

const actionsOn = ({ operator, name, role: before }: Operator): readonly Action[] => [
  nameAction(operator, name),
  formAction({
    label: 'Change role',
    role: 'admin',
    text: ROLE_TEXT,
    fields: { role: roleField(before ?? ROLES[0]) },
    act: ({ role }) =>
      role === before ? null : { call: 'changeRole', params: { operator }, body: { role } },
  }),
  {
    label: 'Revoke',
    title: 'Revoke this role',
    role: 'admin',
    isDangerous: true,
    act: { call: 'revokeOperator', params: { operator } },
  },
];

/** Operators and their roles. */
export function Operators() {
  const query = useRead('operators', null, CALM);
  const me = useStore(session)?.operator;
  return (
    <ListPanel
      title="Operators"
      aside={
        <>
          <Link to={explorerPath('kind:operators')} className={buttonClass('plain', 'small')}>
            Operator events
          </Link>
          <Actions of={[add]} />
        </>
      }
      list={{ ...query, rows: query.data ?? [] }}
      idOf={({ operator }) => operator}
      columns={{
        Wallet: {
          lead: ({ operator, name }) => (
            <span className="break-all font-mono text-xs">
              {name !== null && <bdi className="mr-2 font-sans text-sm">{name}</bdi>}
              {operator}
              {operator === me && (
                <span className="ml-2 whitespace-nowrap font-sans text-fg-3">you</span>
              )}
            </span>
          ),
        },
        Role: ({ role }) =>
          role ? <Badge>{ROLE_NAMES[role]}</Badge> : <Badge tone="bad">Revoked</Badge>,
        Actions: ({ operator }) => (
          <Link
            to={explorerPath(`actor:operator:${operator}`)}
            className="text-sm hover:text-brass hover:underline"
          >
            Events
          </Link>
        ),
        '': {
          figure: (operator) =>
            operator.role && (
              <span className="inline-flex flex-wrap justify-end gap-2">
                <Actions of={actionsOn(operator)} />
              </span>
            ),
        },
      }}
    >
      <p className="px-4 py-2 text-fg-2 text-sm">
        Operators and their roles. Granting or raising a role takes two admins. Lowering or revoking
        one takes effect immediately.
      </p>
    </ListPanel>
  );
}
