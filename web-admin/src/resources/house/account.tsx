import type { Asset } from '@reelbook/ledger/money';
import { useEffect } from 'react';
import { ASSET_NAMES, accountName, Choices, PlayerLink } from '../../components/chips.tsx';
import { Explained } from '../../components/explained.tsx';
import { event } from '../../components/sentence.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { ACCOUNT_PARAM, eventPath } from '../../lib/paths.ts';
import { useAt, useParam } from '../../lib/point-in-time.ts';

/** Accounts that only have BSM. */
const BSM_ONLY: readonly string[] = ['fees', 'withdrawals', 'unmatched', 'chain'];

/** The account of the house in the URL: its balance explained, and its movements. */
export function AccountOfHouse() {
  const [at] = useAt();
  const [account] = useParam(ACCOUNT_PARAM);
  const [named, setAsset] = useParam('asset');
  const asset: Asset = named === 'token' || BSM_ONLY.includes(account) ? 'token' : 'points';
  useEffect(() => {
    if (account) window.scrollTo(0, 0);
  }, [account]);
  if (!account) return null;
  return (
    <section className="mb-8">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">{accountName(account)}</h2>
        {!BSM_ONLY.includes(account) && (
          <div className="flex gap-2">
            <Choices of={ASSET_NAMES} value={asset} onChange={setAsset} />
          </div>
        )}
      </div>
      <div className="grid min-w-0 gap-4">
        <Explained key={account} account={account} asset={asset} at={at} />
        <Movements account={account} asset={asset} at={at} />
      </div>
    </section>
  );
}

function Movements(props: { account: string; asset: Asset; at: number | null }) {
  const { at, ...query } = props;
  const from = at === null ? null : at + 1;
  return (
    <ListPanel
      title="Movements"
      list={usePages('accountMovements', ({ lines }) => lines, query, { from })}
      empty="No event has moved this account in this asset."
      idOf={({ position }) => String(position)}
      to={({ position }) => eventPath(position)}
      columns={{
        Position: event.position,
        'Time (UTC)': event.day,
        Description: event.what,
        Player: ({ player }) => player && <PlayerLink wallet={player} />,
        Amount: event.amount,
        Balance: event.after,
      }}
    />
  );
}
