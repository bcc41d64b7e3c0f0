import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { gameConfigs } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { SessionCard } from '../limits/session-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { Machine, VisitorMachine } from './machine.tsx';
import { PaytableCard } from './paytable-card.tsx';

/** The slot machine page. The machine is rendered first, so that SPIN works early; paytable, session and history follow. */
export function SlotMachine() {
  const wallet = useStore(session)?.user.wallet_address;
  const { data: configs, isError, refetch } = useQuery(gameConfigs);
  const config = configs?.slot_machine;
  const isMachineShown = useDeferredValue(true, false);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-6">
      {wallet ? (
        <Machine key={wallet} wallet={wallet} config={config} />
      ) : (
        <VisitorMachine config={config} />
      )}
      <div className="grid gap-4 lg:gap-6">
        <PaytableCard
          config={isMachineShown ? config : undefined}
          failed={isError}
          retry={() => void refetch()}
        />
        {isMachineShown && wallet && <SessionCard />}
      </div>
      {isMachineShown && <HistoryCard signedIn={wallet !== undefined} className="lg:col-span-2" />}
    </div>
  );
}
