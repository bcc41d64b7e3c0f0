import type { Asset } from '@reelbook/ledger/money';
import { Badge } from '@reelbook/web/components/badge';
import { buttonClass } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Changes } from '../../components/changes.tsx';
import {
  Amount,
  ASSET_NAMES,
  Choices,
  CopyButton,
  EvidenceButton,
  FilterLink,
  Id,
  Mono,
  PositionChip,
  StandingOf,
} from '../../components/chips.tsx';
import { Explained } from '../../components/explained.tsx';
import { Fact, factsOf, Loaded, PageHead, Panel, useTitle } from '../../components/panel.tsx';
import { event, termText } from '../../components/sentence.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { counted, isZero } from '../../lib/amounts.ts';
import { eventPath, explorerPath, paths } from '../../lib/paths.ts';
import { useAt, useAtQuery, useHere } from '../../lib/point-in-time.ts';
import { useRead } from '../../lib/queries.ts';
import { dateTimeText } from '../../lib/times.ts';
import { isSuspended, PlayerActions, type PlayerData } from './player-actions.tsx';

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
  const { all_time: total, session, registered, held } = player;
  return (
    <Panel title="Totals">
      <dl>
        {factsOf({
          Registered: registered && (
            <>
              <Id>{dateTimeText(registered.time)}</Id>{' '}
              <PositionChip position={registered.position} />
            </>
          ),
          Rounds: <Mono>{formatInteger(player.rounds)}</Mono>,
          Staked: <Amount amount={total.staked} />,
          Won: <Amount amount={total.won} />,
          Net: <Amount amount={total.net} signed />,
          Deposited: <Amount amount={total.deposited} />,
          Withdrawn: <Amount amount={total.withdrawn} />,
        })}
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
  const { limits, excluded, reality_check_minutes: minutes } = player;
  return (
    <Panel title="Limits and exclusion">
      {limits.length === 0 && !excluded && !minutes && (
        <p className="text-fg-3 text-sm">No limits, no exclusion.</p>
      )}
      <dl>
        {factsOf({
          Excluded:
            excluded && (excluded.until ? `${dateTimeText(excluded.until)} UTC` : 'permanently'),
          'Reality check': minutes !== null && `every ${counted(minutes, 'minute')}`,
        })}
        {limits.map(({ limit, period, amount, used, pending }) => (
          <Fact key={`${limit}${period}`} label={`${termText(limit)}, ${termText(period)}`}>
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
function Seeds({ player: { seeds } }: { player: PlayerData }) {
  if (!seeds) return null;
  return (
    <Panel title="Current seeds">
      <dl>
        {factsOf({
          'Seed pair': <Mono>{formatInteger(seeds.pair)}</Mono>,
          Nonce: <Mono>{formatInteger(seeds.nonce)}</Mono>,
          'Client seed': <Id>{seeds.client_seed || '—'}</Id>,
          'Server seed hash': <Id>{seeds.server_seed_hash}</Id>,
          'Next seed hash': <Id>{seeds.next_server_seed_hash}</Id>,
        })}
      </dl>
    </Panel>
  );
}

/** Changes of a balance, newest first, with the balance after each. */
function Statement({ wallet, at }: { wallet: string; at: number | null }) {
  const [asset, setAsset] = useState<Asset>('points');
  const from = at === null ? null : at + 1;
  const list = usePages('statement', ({ lines }) => lines, { asset }, { params: { wallet }, from });
  return (
    <ListPanel
      title="Statement"
      aside={<Choices of={ASSET_NAMES} value={asset} onChange={setAsset} />}
      list={list}
      empty="No transactions yet."
      idOf={({ position }) => String(position)}
      to={({ position }) => eventPath(position)}
      columns={{
        Position: event.position,
        'Time (UTC)': event.time,
        Description: event.what,
        Amount: event.amount,
        Balance: event.after,
      }}
    />
  );
}

/** One player: balances, statement, actions, limits and seeds. */
export function PlayerPage() {
  const { wallet = '' } = useParams();
  useTitle('Players');
  const query = useRead('player', { params: { wallet }, query: useAtQuery() });
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
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="grid min-w-0 gap-4 max-lg:contents">
          <div className="max-lg:-order-2">
            <Balances player={player} />
          </div>
          <Explained account={account} at={at} />
          <Statement wallet={player.wallet} at={at} />
        </div>
        <div className="grid min-w-0 gap-4 max-lg:contents">
          {/* On a phone before the statement. */}
          <div className="grid gap-4 max-lg:-order-1">
            <PlayerActions player={player} />
          </div>
          <Money player={player} />
          <Protection player={player} />
          <Seeds player={player} />
        </div>
      </div>
    </>
  );
}
