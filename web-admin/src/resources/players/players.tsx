import type { AdminData } from '@reelbook/admin/answers';
import type { AdminQuery } from '@reelbook/contract/admin/routes';
import type { Asset } from '@reelbook/ledger/money';
import { Field } from '@reelbook/web/components/field';
import { useDeferredValue } from 'react';
import { Amount, Choices, Id, PlayerWithStanding, Time } from '../../components/chips.tsx';
import { PageHead } from '../../components/panel.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { playerPath } from '../../lib/paths.ts';
import { useAtQuery, useParam, useTyped } from '../../lib/point-in-time.ts';

type Player = AdminData<'players'>['players'][number];

const NAME_MAX = 60;

const balance =
  (asset: Asset) =>
  ({ balances }: Player) =>
    balances
      .filter((amount) => amount.asset === asset)
      .map((amount) => <Amount key={asset} amount={amount} unit={false} rounded />);

type Query = NonNullable<AdminQuery<'players'>>;

const STANDINGS: Readonly<Record<'all' | NonNullable<Query['standing']>, string>> = {
  all: 'All',
  active: 'Active',
  suspended: 'Suspended',
  excluded: 'Excluded',
};
const SORTS: Readonly<Record<NonNullable<Query['sort']>, string>> = {
  activity: 'Last activity',
  points: 'Points',
  token: 'BSM',
  registered: 'Registration',
};

/** A choice in the URL; the first one is the default. */
function useChoice<Value extends string>(name: string, of: Readonly<Record<Value, string>>) {
  const [value, set] = useParam(name);
  return [(value in of ? value : Object.keys(of)[0]) as Value, set] as const;
}

/** Players by standing, the latest, richest or newest first, or those whose wallet, public ID or nickname has a start. */
export function Players() {
  const [typed, setTyped] = useTyped('name');
  const [standing, setStanding] = useChoice('standing', STANDINGS);
  const [sort, setSort] = useChoice('sort', SORTS);
  const q = useDeferredValue(typed.trim());
  const filter = standing === 'all' ? {} : { standing };
  const query: Query = { ...useAtQuery(), ...(q && { q }), ...filter, sort };
  const list = usePages('players', ({ players }) => players, query, { cursor: 'after' });
  return (
    <>
      <PageHead title="Players">Search by the start of a wallet, public ID or nickname.</PageHead>
      <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="w-full max-w-xl">
          <Field
            label="Wallet, public ID or nickname"
            value={typed}
            onChange={setTyped}
            maxLength={NAME_MAX}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Choices of={STANDINGS} value={standing} onChange={setStanding} />
        </div>
      </div>
      <ListPanel
        title={standing === 'all' ? 'Players' : `${STANDINGS[standing]} players`}
        label="Players"
        aside={
          <>
            by <span className="hidden print:inline">{SORTS[sort]}</span>
            <Choices of={SORTS} value={sort} onChange={setSort} />
          </>
        }
        list={list}
        empty="No players found."
        idOf={({ wallet }) => wallet}
        to={({ wallet }) => playerPath(wallet)}
        columns={{
          Player: { lead: (player) => <PlayerWithStanding {...player} /> },
          'Public ID': ({ public_id: id }) => <Id>{id}</Id>,
          'Registered (UTC)': {
            detail: ({ registered }) => registered && <Time iso={registered} day />,
          },
          'Last activity (UTC)': { figure: ({ active }) => active && <Time iso={active} day /> },
          Points: { total: balance('points') },
          BSM: { figure: balance('token') },
        }}
      />
    </>
  );
}
