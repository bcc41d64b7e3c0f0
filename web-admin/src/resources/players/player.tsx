import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Changes } from '../../components/changes.tsx';
import { Amount, CopyButton, FilterLink, PositionChip } from '../../components/chips.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { EvidenceButton } from '../../components/evidence-button.tsx';
import { Explained } from '../../components/explained.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Fact, PageHead, Panel } from '../../components/panel.tsx';
import { eventColumns, termText } from '../../components/sentence.tsx';
import { StandingOf } from '../../components/standing.tsx';
import { isZero } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { eventPath, explorerPath, paths } from '../../lib/paths.ts';
import { plural } from '../../lib/plural.ts';
import { useAt, useAtQuery, useHere } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { dateTimeText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';
import type { PlayerData } from './data.ts';
import { isSuspended, PlayerActions } from './player-actions.tsx';

export function Balances({ player }: { player: PlayerData }) {
  return (
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
  );
}

/** Totals of play, deposits and withdrawals. */
export function Money({ player }: { player: PlayerData }) {
  const { all_time: total, session, held } = player;
  return (
    <Panel title="Totals">
      <dl>
        {player.registered && (
          <Fact label="Registered">
            <span className="font-mono text-xs">{dateTimeText(player.registered.time)}</span>{' '}
            <PositionChip position={player.registered.position} />
          </Fact>
        )}
        <Fact label="Rounds">
          <span className="font-mono">{formatInteger(player.rounds)}</span>
        </Fact>
        <Fact label="Staked">
          <Amount amount={total.staked} />
        </Fact>
        <Fact label="Won">
          <Amount amount={total.won} />
        </Fact>
        <Fact label="Net">
          <Amount amount={total.net} signed />
        </Fact>
        <Fact label="Deposited">
          <Amount amount={total.deposited} />
        </Fact>
        <Fact label="Withdrawn">
          <Amount amount={total.withdrawn} />
        </Fact>
        {held
          .filter((amount) => !isZero(amount))
          .map((amount) => (
            <Fact key={amount.asset} label="Held for withdrawals">
              <Amount amount={amount} />
            </Fact>
          ))}
        {session && (
          <Fact label="This session">
            <PositionChip position={session.position} /> <Amount amount={session.net} signed />
          </Fact>
        )}
        {player.open_rounds.map(({ round, game, stake }) => (
          <Fact key={round} label="Open round">
            {game} <Amount amount={stake} />{' '}
            <FilterLink token={`round:${round}`}>{round}</FilterLink>
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}

/** Limits with their use, exclusion and reality check. */
export function Protection({ player }: { player: PlayerData }) {
  const { limits, excluded } = player;
  return (
    <Panel title="Limits and exclusion">
      {limits.length === 0 && !excluded && !player.reality_check_minutes && (
        <p className="text-fg-3 text-sm">No limits, no exclusion.</p>
      )}
      <dl>
        {excluded && (
          <Fact label="Excluded">
            {excluded.until ? `${dateTimeText(excluded.until)} UTC` : 'permanently'}
          </Fact>
        )}
        {player.reality_check_minutes !== null && (
          <Fact label="Reality check">
            every {player.reality_check_minutes}{' '}
            {plural(player.reality_check_minutes, 'minute', 'minutes')}
          </Fact>
        )}
        {limits.map(({ limit, period, amount, used, pending }) => (
          <Fact
            key={`${limit}${period}`}
            label={
              <>
                {termText(limit)}, {termText(period)}
              </>
            }
          >
            <Amount amount={used} unit={false} /> / <Amount amount={amount} />
            {pending && (
              <span className="block text-fg-3 text-xs">
                from {dateTimeText(pending.holds_from)}:{' '}
                {pending.amount ? <Amount amount={pending.amount} /> : 'no limit'}
              </span>
            )}
          </Fact>
        ))}
      </dl>
    </Panel>
  );
}

/** The seeds of the player's next rounds. */
export function Seeds({ player }: { player: PlayerData }) {
  const { seeds } = player;
  if (!seeds) return null;
  return (
    <Panel title="Current seeds">
      <dl>
        <Fact label="Seed pair">
          <span className="font-mono">{formatInteger(seeds.pair)}</span>
        </Fact>
        <Fact label="Nonce">
          <span className="font-mono">{formatInteger(seeds.nonce)}</span>
        </Fact>
        <Fact label="Client seed">
          <span className="font-mono text-xs">{seeds.client_seed || '—'}</span>
        </Fact>
        <Fact label="Server seed hash">
          <span className="font-mono text-xs">{seeds.server_seed_hash}</span>
        </Fact>
        <Fact label="Next seed hash">
          <span className="font-mono text-xs">{seeds.next_server_seed_hash}</span>
        </Fact>
      </dl>
    </Panel>
  );
}

type Asset = 'points' | 'token';
type Page = AdminData<'statement'>;
type Line = Page['lines'][number];

/** Changes of a balance, newest first, with the balance after each. */
export function Statement({ wallet, at }: { wallet: string; at: number | null }) {
  const [asset, setAsset] = useState<Asset>('points');
  return (
    <Panel
      flush
      title="Statement"
      aside={(['points', 'token'] as const).map((one) => (
        <Button
          key={one}
          size="small"
          look={one === asset ? 'primary' : 'plain'}
          aria-pressed={one === asset}
          onClick={() => setAsset(one)}
        >
          {one === 'token' ? 'BSM' : 'Points'}
        </Button>
      ))}
    >
      <Lines key={`${asset}${at}`} wallet={wallet} asset={asset} at={at} />
    </Panel>
  );
}

function Lines({ wallet, asset, at }: { wallet: string; asset: Asset; at: number | null }) {
  const navigate = useNavigate();
  const here = useHere();
  const columns = columnsOf();
  const query = useInfiniteQuery({
    queryKey: ['statement', wallet, asset, at],
    queryFn: ({ pageParam, signal }) =>
      api.call('statement', {
        params: { wallet },
        query: { asset, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: at === null ? null : at + 1,
    getNextPageParam: ({ next }) => next,
  });
  const rows = query.data?.pages.flatMap(({ lines }) => lines) ?? [];
  return (
    <PagedTable
      query={query}
      empty="No transactions yet."
      label="Statement"
      rows={rows}
      columns={columns}
      idOf={({ position }) => String(position)}
      onOpen={({ position }) => void navigate(here(eventPath(position)))}
    />
  );
}

function columnsOf(): Column<Line>[] {
  const events = eventColumns();
  return [events.position(), events.time(), events.what(), events.amount(), events.after()];
}

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
          <Balances player={player} />
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
