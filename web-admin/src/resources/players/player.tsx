import { Badge } from '@reelbook/web/components/badge';
import { buttonClass } from '@reelbook/web/components/button';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { Changes } from '../../components/changes.tsx';
import { Amount, PositionChip } from '../../components/chips.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EvidenceButton } from '../../components/evidence-button.tsx';
import { Explained } from '../../components/explained.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHead } from '../../components/panel.tsx';
import { StandingOf } from '../../components/standing.tsx';
import { explorerPath, paths } from '../../lib/paths.ts';
import { useAt, useAtQuery, useHere } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { useTitle } from '../../lib/use-title.ts';
import type { PlayerData } from './data.ts';
import { PlayerActions } from './player-actions.tsx';
import { Money, Protection, Seeds } from './player-panels.tsx';
import { Statement } from './statement.tsx';
import { isSuspended } from './suspension.ts';

/** One player: balances, statement, actions, limits and seeds. */
export function PlayerPage() {
  const { wallet = '' } = useParams();
  useTitle('Players');
  const query = useQuery(read('player', { params: { wallet }, query: useAtQuery() }));
  return (
    <Loaded query={query} rows={10}>
      {(player) => <Shown key={player.wallet} player={player} />}
    </Loaded>
  );
}

function Shown({ player }: { player: PlayerData }) {
  const [at] = useAt();
  const here = useHere();
  const account = `player:${player.wallet}`;
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            <bdi>{player.nickname ?? 'Player'}</bdi>
            {isSuspended(player) && <Badge tone="bad">Suspended</Badge>}
            {player.excluded && <Badge tone="bad">Excluded</Badge>}
          </span>
        }
        aside={
          <>
            <EvidenceButton of="player" id={player.wallet} />
            <Link
              to={here(explorerPath(`player:${player.wallet}`))}
              className={buttonClass('plain', 'small')}
            >
              Events
            </Link>
            <Link
              to={here(`${paths.travel}?stream=${player.wallet}`)}
              className={buttonClass('plain', 'small')}
            >
              State history
            </Link>
          </>
        }
      >
        <span className="break-all font-mono text-xs">{player.wallet}</span>
        <CopyButton text={player.wallet} />
        <PositionChip position={player.position} />
        <StandingOf standing={player.standing} withBadge={false} />
      </PageHead>
      {player.stored_differs.length > 0 && (
        <div
          role="alert"
          className="mb-4 rounded-md border border-coral bg-coral-soft px-4 py-3 text-sm"
        >
          <p className="mb-2 font-semibold text-coral">
            The stored state of this player differs from the events. Shown are the events; actions
            are refused until it is repaired. Below: by the events → stored.
          </p>
          <Changes changes={player.stored_differs} />
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="grid min-w-0 gap-4">
          <div className="grid grid-cols-2 gap-3">
            {player.balances.map((amount) => (
              <div key={amount.asset} className="rounded-md border border-line bg-ink-1 px-4 py-3">
                <p className="text-fg-3 text-xs">Balance</p>
                <p className="text-lg">
                  <Amount amount={amount} />
                </p>
              </div>
            ))}
          </div>
          {(['points', 'token'] as const).map((asset) => (
            <Explained key={asset} account={account} asset={asset} at={at} />
          ))}
          <Statement wallet={player.wallet} at={at} />
        </div>
        <div className="grid min-w-0 gap-4">
          <PlayerActions player={player} />
          <Money player={player} />
          <Protection player={player} />
          <Seeds player={player} />
        </div>
      </div>
    </>
  );
}
