import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount, PositionChip } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { read } from '../../lib/queries.ts';
import { Account } from '../event/event-parts.tsx';
import { TrialBalance } from './trial-balance.tsx';

const ACCOUNTS_PER_PAGE = 50;

/** The trial balance, one account by name, and all accounts. */
export function Balances({ at }: { at: number | null }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid gap-4">
        <TrialBalance at={at} />
        <OneBalance at={at} />
      </div>
      <Accounts key={at} at={at} />
    </div>
  );
}

const atOf = (at: number | null) => (at === null ? {} : { at });

function OneBalance({ at }: { at: number | null }) {
  const [typed, setTyped] = useState('');
  const [account, setAccount] = useState('');
  return (
    <Panel title="Account balance">
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const name = typed.trim();
          setAccount(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(name) ? `player:${name}` : name);
        }}
      >
        <div className="min-w-0 flex-1">
          <Field label="Account" value={typed} onChange={setTyped} maxLength={60} />
        </div>
        <Button type="submit">Show</Button>
      </form>
      {account &&
        (['points', 'token'] as const).map((asset) => (
          <BalanceLine key={asset} account={account} asset={asset} at={at} />
        ))}
    </Panel>
  );
}

function BalanceLine(props: { account: string; asset: 'points' | 'token'; at: number | null }) {
  const { account, asset, at } = props;
  const query = useQuery(read('balanceAt', { query: { account, asset, ...atOf(at) } }));
  return (
    <Loaded query={query} rows={1}>
      {({ balance, since }) => (
        <p className="ledger-line mt-2" data-testid={`balance-${asset}`}>
          <Amount amount={balance} />
          {since !== null && <PositionChip position={since} />}
        </p>
      )}
    </Loaded>
  );
}

type AccountRow = AdminData<'accounts'>['accounts'][number];

function Accounts({ at }: { at: number | null }) {
  const query = useInfiniteQuery({
    queryKey: ['accounts', at],
    queryFn: ({ pageParam, signal }) =>
      api.call('accounts', {
        query: {
          ...atOf(at),
          limit: ACCOUNTS_PER_PAGE,
          ...(pageParam === null ? {} : { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const rows = query.data?.pages.flatMap(({ accounts }) => accounts) ?? [];
  const columns: Column<AccountRow>[] = [
    {
      id: 'account',
      header: 'Account',
      cell: ({ row }) => <Account account={row.original.account} />,
      meta: { phone: 'lead' },
    },
    {
      id: 'balance',
      header: 'Balance',
      cell: ({ row }) => <Amount amount={row.original.balance} />,
      meta: { end: true, phone: 'end' },
    },
    {
      id: 'since',
      header: 'Last change',
      cell: ({ row }) => <PositionChip position={row.original.since} />,
      meta: { end: true },
    },
  ];
  return (
    <Panel flush title="Accounts">
      <PagedTable
        query={query}
        label="Accounts"
        rows={rows}
        columns={columns}
        idOf={({ account, balance }) => `${account}/${balance.asset}`}
      />
    </Panel>
  );
}
