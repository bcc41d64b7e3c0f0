import { formatInteger } from '@reelbook/web/format';
import { Amount, FilterLink, PositionChip } from '../../components/chips.tsx';
import { Fact, Panel } from '../../components/panel.tsx';
import { termText } from '../../components/sentence.tsx';
import { isZero } from '../../lib/amounts.ts';
import { plural } from '../../lib/plural.ts';
import { dateTimeText } from '../../lib/times.ts';
import type { PlayerData } from './data.ts';

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
