import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { gameConfigs } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { HistoryCard } from './history-card.tsx';
import { Machine, VisitorMachine } from './machine.tsx';
import { PaytableCard } from './paytable-card.tsx';
import { SessionCard } from './session-card.tsx';

/** The slot machine page: machine, paytable, session, history. */
export function SlotMachine() {
  const wallet = useStore(session)?.user.wallet_address;
  const { data: configs, isError, refetch } = useQuery(gameConfigs);
  const config = configs?.slot_machine;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-6">
      {wallet ? <Machine key={wallet} wallet={wallet} config={config} /> : <VisitorMachine />}
      <div className="grid gap-4 lg:gap-6">
        <PaytableCard config={config} failed={isError} retry={() => void refetch()} />
        {wallet && <SessionCard />}
      </div>
      <HistoryCard signedIn={wallet !== undefined} className="lg:col-span-2" />
    </div>
  );
}
