import type { AdminData } from '@reelbook/contract/admin/routes';
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
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';
import { NameDialog } from './name-dialog.tsx';

type Operator = AdminData<'operators'>[number];
interface Selected {
  readonly action: 'name' | 'role' | 'revoke';
  readonly operator: Operator;
}

const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Operators and their roles. */
export function Operators() {
  const { t } = useTexts();
  const query = useQuery({ ...read('operators'), refetchInterval: CALM_EVERY_MS });
  const [isAdding, setAdding] = useState(false);
  const [selected, setSelected] = useState<Selected | null>(null);
  const columns = useColumns(setSelected);
  return (
    <>
      <Panel
        flush
        title={t('operators.heading')}
        aside={
          <>
            <Link to={explorerPath('kind:operators')} className={buttonClass('plain', 'small')}>
              {t('operators.record')}
            </Link>
            <Button size="small" look="primary" onClick={() => setAdding(true)}>
              {t('operators.add')}
            </Button>
          </>
        }
      >
        <p className="px-4 py-2 text-fg-2 text-sm">{t('operators.lead')}</p>
        <Loaded query={query}>
          {(operators) => (
            <DataTable
              label={t('operators.heading')}
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
  const { t } = useTexts();
  const me = useStore(session)?.operator;
  return [
    {
      id: 'operator',
      header: t('operators.wallet'),
      cell: ({ row }) => (
        <span className="break-all font-mono text-xs">
          {row.original.name !== null && (
            <bdi className="mr-2 font-sans text-sm">{row.original.name}</bdi>
          )}
          {row.original.operator}
          {row.original.operator === me && (
            <span className="ml-2 whitespace-nowrap font-sans text-fg-3">{t('operators.you')}</span>
          )}
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'role',
      header: t('operators.role'),
      cell: ({ row }) =>
        row.original.role ? (
          <Badge>{t(`role.${row.original.role}`)}</Badge>
        ) : (
          <Badge tone="bad">{t('operators.revoked')}</Badge>
        ),
    },
    {
      id: 'record',
      header: t('actions.title'),
      cell: ({ row }) => (
        <Link
          to={explorerPath(`actor:operator:${row.original.operator}`)}
          className="text-sm hover:text-brass hover:underline"
        >
          {t('explorer.events')}
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
              {t('names.set')}
            </Button>
            <Button
              size="small"
              onClick={() => onSelect({ action: 'role', operator: row.original })}
            >
              {t('operators.change')}
            </Button>
            <Button
              size="small"
              onClick={() => onSelect({ action: 'revoke', operator: row.original })}
            >
              {t('operators.revoke')}
            </Button>
          </span>
        ),
      meta: { end: true },
    },
  ];
}

function AddDialog({ onClose }: { onClose(): void }) {
  const { t } = useTexts();
  const [wallet, setWallet] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const operator = wallet.trim();
  return (
    <ActionDialog
      title={t('operators.add')}
      action={t('operators.add')}
      act={WALLET.test(operator) ? { call: 'addOperator', body: { operator, role } } : null}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('proposals.role')}</p>
      <div className="mb-3 grid gap-3">
        <Field label={t('operators.wallet')} value={wallet} onChange={setWallet} maxLength={44} />
        <RoleChoice value={role} onChange={setRole} />
      </div>
    </ActionDialog>
  );
}

function RoleDialog({ of, onClose }: { of: Operator; onClose(): void }) {
  const { t } = useTexts();
  const { operator } = of;
  const [role, setRole] = useState<Role>(of.role ?? ROLES[0]);
  return (
    <ActionDialog
      title={t('operators.change')}
      action={t('operators.change')}
      act={role === of.role ? null : { call: 'changeRole', params: { operator }, body: { role } }}
      onClose={onClose}
    >
      <p className="mb-3 text-fg-2 text-sm">{t('proposals.role')}</p>
      <div className="mb-3">
        <RoleChoice value={role} onChange={setRole} />
      </div>
    </ActionDialog>
  );
}

function RevokeDialog({ of, onClose }: { of: Operator; onClose(): void }) {
  const { t } = useTexts();
  return (
    <ActionDialog
      title={t('operators.revokeTitle')}
      action={t('operators.revoke')}
      isDangerous
      act={{ call: 'revokeOperator', params: { operator: of.operator } }}
      onClose={onClose}
    />
  );
}

/** Selects one of the four roles, each with its permissions. */
function RoleChoice({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const { t } = useTexts();
  return (
    <fieldset>
      <legend className="mb-1 text-fg-3 text-xs">{t('operators.role')}</legend>
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
            {t(`role.${role}`)} <span className="text-fg-3">{t(`operators.may.${role}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
