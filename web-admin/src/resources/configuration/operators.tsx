import type { AdminData } from '@reelbook/admin/answers';
import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { Badge } from '@reelbook/web/components/badge';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { explorerPath } from '../../lib/paths.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { ROLE_NAMES, session } from '../../lib/session-store.ts';

const NAME_MAX = 20;

/** Sets the name that operators see with the wallet of an operator. */
export function NameDialog(props: { operator: string; name: string | null; onClose(): void }) {
  const { operator, name: before, onClose } = props;
  const [typed, setTyped] = useState(before ?? '');
  const name = typed.trim();
  const isReady = name !== '' && name !== before;
  return (
    <ActionDialog
      title="Set name"
      action="Set name"
      act={isReady ? { call: 'nameOperator', params: { operator }, body: { name } } : null}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        All operators see the name with the wallet, in the console and in the history. Players do
        not see it.
      </p>
      <div className="mb-3">
        <Field label="Name" value={typed} onChange={setTyped} maxLength={NAME_MAX} mono={false} />
      </div>
    </ActionDialog>
  );
}

type Operator = AdminData<'operators'>[number];
interface Selected {
  readonly action: 'name' | 'role' | 'revoke';
  readonly operator: Operator;
}

const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Operators and their roles. */
export function Operators() {
  const query = useQuery({ ...read('operators'), refetchInterval: CALM_EVERY_MS });
  const [isAdding, setAdding] = useState(false);
  const [selected, setSelected] = useState<Selected | null>(null);
  const columns = useColumns(setSelected);
  return (
    <>
      <Panel
        flush
        title="Operators"
        aside={
          <>
            <Link to={explorerPath('kind:operators')} className={buttonClass('plain', 'small')}>
              Operator events
            </Link>
            <Button size="small" look="primary" onClick={() => setAdding(true)}>
              Add operator
            </Button>
          </>
        }
      >
        <p className="px-4 py-2 text-fg-2 text-sm">
          Operators and their roles. Granting or raising a role takes two admins. Lowering or
          revoking one takes effect immediately.
        </p>
        <Loaded query={query}>
          {(operators) => (
            <DataTable
              label="Operators"
              rows={operators}
              columns={columns}
              idOf={({ operator }) => operator}
            />
          )}
        </Loaded>
      </Panel>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {selected?.action === 'name' && (
        <NameDialog {...selected.operator} onClose={() => setSelected(null)} />
      )}
      {selected?.action === 'role' && (
        <RoleDialog of={selected.operator} onClose={() => setSelected(null)} />
      )}
      {selected?.action === 'revoke' && (
        <RevokeDialog of={selected.operator} onClose={() => setSelected(null)} />
      )}
    </>
  );
}

function useColumns(onSelect: (selected: Selected) => void): Column<Operator>[] {
  const me = useStore(session)?.operator;
  return [
    {
      id: 'operator',
      header: 'Wallet',
      cell: ({ row }) => (
        <span className="break-all font-mono text-xs">
          {row.original.name !== null && (
            <bdi className="mr-2 font-sans text-sm">{row.original.name}</bdi>
          )}
          {row.original.operator}
          {row.original.operator === me && (
            <span className="ml-2 whitespace-nowrap font-sans text-fg-3">you</span>
          )}
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'role',
      header: 'Role',
      cell: ({ row }) =>
        row.original.role ? (
          <Badge>{ROLE_NAMES[row.original.role]}</Badge>
        ) : (
          <Badge tone="bad">Revoked</Badge>
        ),
    },
    {
      id: 'record',
      header: 'Actions',
      cell: ({ row }) => (
        <Link
          to={explorerPath(`actor:operator:${row.original.operator}`)}
          className="text-sm hover:text-brass hover:underline"
        >
          Events
        </Link>
      ),
    },
    {
      id: 'actions',
      header: '',
      cell: ({ row }) =>
        row.original.role && (
          <span className="inline-flex flex-wrap justify-end gap-2">
            <Button
              size="small"
              onClick={() => onSelect({ action: 'name', operator: row.original })}
            >
              Set name
            </Button>
            <Button
              size="small"
              onClick={() => onSelect({ action: 'role', operator: row.original })}
            >
              Change role
            </Button>
            <Button
              size="small"
              onClick={() => onSelect({ action: 'revoke', operator: row.original })}
            >
              Revoke
            </Button>
          </span>
        ),
      meta: { end: true },
    },
  ];
}

function AddDialog({ onClose }: { onClose(): void }) {
  const [wallet, setWallet] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const operator = wallet.trim();
  return (
    <ActionDialog
      title="Add operator"
      action="Add operator"
      act={WALLET.test(operator) ? { call: 'addOperator', body: { operator, role } } : null}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        Granting or raising a role needs confirmation by another admin after a waiting period.
        Lowering a role takes effect immediately.
      </p>
      <div className="mb-3 grid gap-3">
        <Field label="Wallet" value={wallet} onChange={setWallet} maxLength={44} />
        <RoleChoice value={role} onChange={setRole} />
      </div>
    </ActionDialog>
  );
}

function RoleDialog({ of, onClose }: { of: Operator; onClose(): void }) {
  const { operator } = of;
  const [role, setRole] = useState<Role>(of.role ?? ROLES[0]);
  return (
    <ActionDialog
      title="Change role"
      action="Change role"
      act={role === of.role ? null : { call: 'changeRole', params: { operator }, body: { role } }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">
        Granting or raising a role needs confirmation by another admin after a waiting period.
        Lowering a role takes effect immediately.
      </p>
      <div className="mb-3">
        <RoleChoice value={role} onChange={setRole} />
      </div>
    </ActionDialog>
  );
}

function RevokeDialog({ of, onClose }: { of: Operator; onClose(): void }) {
  return (
    <ActionDialog
      title="Revoke this role"
      action="Revoke"
      isDangerous
      act={{ call: 'revokeOperator', params: { operator: of.operator } }}
      onClose={onClose}
    />
  );
}

const PERMISSIONS = {
  viewer: 'can view everything',
  auditor: 'can also audit and export',
  operator: 'can also manage players, payments and switches',
  admin: 'can also change the configuration and the operators',
};

/** Selects one of the four roles, each with its permissions. */
function RoleChoice({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  return (
    <fieldset>
      <legend className="mb-1 text-fg-3 text-xs">Role</legend>
      {ROLES.map((role) => (
        <label key={role} className="flex min-h-9 items-baseline gap-2.5 text-sm">
          <input
            type="radio"
            name="role"
            className="accent-brass"
            checked={role === value}
            onChange={() => onChange(role)}
          />
          <span>
            {ROLE_NAMES[role]} <span className="text-fg-3">{PERMISSIONS[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
