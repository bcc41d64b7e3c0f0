import type { AdminData } from '@reelbook/admin/answers';
import type { Asset } from '@reelbook/ledger/money';
import { Field } from '@reelbook/web/components/field';
import { useDeferredValue, useState } from 'react';
import { Amount, Id, PlayerWithStanding, PositionChip } from '../../components/chips.tsx';
import { PageHead } from '../../components/panel.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { playerPath } from '../../lib/paths.ts';
import { useAtQuery, useParam } from '../../lib/point-in-time.ts';

type Player = AdminData<'players'>['players'][number];

const NAME_MAX = 60;

const balance =
  (asset: Asset) =>
  ({ balances }: Player) =>
    balances
      .filter((amount) => amount.asset === asset)
      .map((amount) => <Amount key={asset} amount={amount} unit={false} />);

/** Searches players by the start of a wallet, public ID or nickname. */
export function Players() {
  const [name, setName] = useParam('name');
  const [typed, setTyped] = useState(name);
  const q = useDeferredValue(typed.trim());
  const query = { ...useAtQuery(), ...(q && { q }) };
  const list = usePages('players', ({ players }) => players, query, { cursor: 'after' });
  return (
    <>
      <PageHead title="Players">Search by the start of a wallet, public ID or nickname.</PageHead>
      <div className="mb-4 max-w-xl">
        <Field
          label="Wallet, public ID or nickname"
          value={typed}
          onChange={(text) => {
            setTyped(text);
            setName(text.trim());
          }}
          maxLength={NAME_MAX}
        />
      </div>
      <ListPanel
        title="Players"
        list={list}
        empty="No players found."
        idOf={({ wallet }) => wallet}
        to={({ wallet }) => playerPath(wallet)}
        columns={{
          Player: { lead: (player) => <PlayerWithStanding {...player} /> },
          'Public ID': ({ public_id: id }) => <Id>{id}</Id>,
          Points: { total: balance('points') },
          BSM: { figure: balance('token') },
          'Last change': { figure: ({ position }) => <PositionChip position={position} /> },
        }}
      />
    </>
  );
}
