import { formatInteger } from '@reelbook/web/format';
import { Amount, FilterLink, PositionChip } from '../../components/chips.tsx';
import { Fact, Panel } from '../../components/panel.tsx';
import { Term } from '../../components/sentence.tsx';
import { isZero } from '../../lib/amounts.ts';
import { useTexts } from '../../lib/texts.ts';
import { dateTimeText } from '../../lib/times.ts';
import type { PlayerData } from './data.ts';

/** Totals of play, deposits and withdrawals. */
export function Money({ player }: { player: PlayerData }) {
  const { t } = useTexts();
  const { all_time: total, session, held } = player;
  return (
    <Panel title={t('players.money')}>
      <dl>
        {player.registered && (
          <Fact label={t('players.registered')}>
            <span className="font-mono text-xs">{dateTimeText(player.registered.time)}</span>{' '}
            <PositionChip position={player.registered.position} />
          </Fact>
        )}
        <Fact label={t('games.rounds')}>
          <span className="font-mono">{formatInteger(player.rounds)}</span>
        </Fact>
        <Fact label={t('games.staked')}>
          <Amount amount={total.staked} />
        </Fact>
        <Fact label={t('players.won')}>
          <Amount amount={total.won} />
        </Fact>
        <Fact label={t('players.net')}>
          <Amount amount={total.net} signed />
        </Fact>
        <Fact label={t('players.deposited')}>
          <Amount amount={total.deposited} />
        </Fact>
        <Fact label={t('players.withdrawn')}>
          <Amount amount={total.withdrawn} />
        </Fact>
        {held
          .filter((amount) => !isZero(amount))
          .map((amount) => (
            <Fact key={amount.asset} label={t('players.held')}>
              <Amount amount={amount} />
            </Fact>
          ))}
        {session && (
          <Fact label={t('players.session')}>
            <PositionChip position={session.position} /> <Amount amount={session.net} signed />
          </Fact>
        )}
        {player.open_rounds.map(({ round, game, stake }) => (
          <Fact key={round} label={t('players.openRound')}>
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
  const { t } = useTexts();
  const { limits, excluded } = player;
  return (
    <Panel title={t('players.protection')}>
      {limits.length === 0 && !excluded && !player.reality_check_minutes && (
        <p className="text-fg-3 text-sm">{t('players.noLimits')}</p>
      )}
      <dl>
        {excluded && (
          <Fact label={t('players.excluded')}>
            {excluded.until ? `${dateTimeText(excluded.until)} UTC` : t('forGood')}
          </Fact>
        )}
        {player.reality_check_minutes !== null && (
          <Fact label={t('players.realityCheck')}>
            {t('players.minutes', { count: player.reality_check_minutes })}
          </Fact>
        )}
        {limits.map(({ limit, period, amount, used, pending }) => (
          <Fact
            key={`${limit}${period}`}
            label={
              <>
                <Term term={limit} />, <Term term={period} />
              </>
            }
          >
            <Amount amount={used} unit={false} /> / <Amount amount={amount} />
            {pending && (
              <span className="block text-fg-3 text-xs">
                {t('players.pending', { time: dateTimeText(pending.holds_from) })}{' '}
                {pending.amount ? <Amount amount={pending.amount} /> : t('players.noLimit')}
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
  const { t } = useTexts();
  const { seeds } = player;
  if (!seeds) return null;
  return (
    <Panel title={t('players.seeds')}>
      <dl>
        <Fact label={t('players.pair')}>
          <span className="font-mono">{formatInteger(seeds.pair)}</span>
        </Fact>
        <Fact label={t('round.nonce')}>
          <span className="font-mono">{formatInteger(seeds.nonce)}</span>
        </Fact>
        <Fact label={t('round.clientSeed')}>
          <span className="font-mono text-xs">{seeds.client_seed || '—'}</span>
        </Fact>
        <Fact label={t('round.seedHash')}>
          <span className="font-mono text-xs">{seeds.server_seed_hash}</span>
        </Fact>
        <Fact label={t('players.nextHash')}>
          <span className="font-mono text-xs">{seeds.next_server_seed_hash}</span>
        </Fact>
      </dl>
    </Panel>
  );
}
