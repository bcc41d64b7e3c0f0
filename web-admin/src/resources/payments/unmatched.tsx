import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { shortAddress } from '@reelbook/web/format';
import { Link } from 'react-router';
import { type Action, Actions, choiceField, formAction } from '../../components/actions.tsx';
import {
  Amount,
  FilterLink,
  PlayerWithStanding,
  PositionChip,
  Time,
} from '../../components/chips.tsx';
import { factsOf, PageHead } from '../../components/panel.tsx';
import { PlayerField } from '../../components/player-field.tsx';
import { termText } from '../../components/sentence.tsx';
import { ListPanel, usePages } from '../../components/table.tsx';
import { paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS } from '../../lib/queries.ts';

type Page = AdminData<'unmatched'>;
type Deposit = Page['deposits'][number];

/** Deposits without a matching player, until operators resolve them. */
export function Unmatched() {
  const here = useHere();
  const list = usePages(
    'unmatched',
    ({ deposits }) => deposits,
    {},
    {
      cursor: 'after',
      refetchInterval: CALM_EVERY_MS,
    },
  );
  const soloMax = list.first?.threshold;
  return (
    <>
      <PageHead title="Unmatched deposits">
        Deposits that could not be matched to a player. Credit each to a player or to the house.
      </PageHead>
      <ListPanel
        title="Unmatched deposits"
        list={list}
        empty="No unmatched deposits."
        idOf={({ signature, token_account: account }) => `${signature}/${account}`}
        columns={{
          Seen: {
            lead: ({ position, seen_at: seenAt }) => (
              <span className="inline-flex items-center gap-2">
                {position !== null && <PositionChip position={position} />}
                <Time iso={seenAt} />
              </span>
            ),
          },
          Amount: { total: ({ amount }) => <Amount amount={amount} /> },
          Sender: ({ sender, sender_player: player }) =>
            player ? (
              <PlayerWithStanding {...player} />
            ) : (
              <span className="whitespace-nowrap font-mono text-xs" data-value={sender ?? ''}>
                {sender ? shortAddress(sender) : '—'}
              </span>
            ),
          Reason: ({ reason, proposals }) => (
            <>
              {termText(reason)}
              {proposals.length > 0 && (
                <Link
                  to={here(paths.approvals)}
                  className="mt-1 block text-sm"
                  data-testid="proposed"
                >
                  <Badge tone="brass">awaiting another operator</Badge>
                </Link>
              )}
            </>
          ),
          Transaction: ({ signature }) => (
            <FilterLink token={`signature:${signature}`}>{signature}</FilterLink>
          ),
          '': { figure: (deposit) => soloMax && <Actions of={[resolve(deposit, soloMax)]} /> },
        }}
      />
    </>
  );
}

/** Credits a player or the house. For a player, or above the threshold, a second operator must agree. */
function resolve(deposit: Deposit, soloMax: Page['threshold']): Action {
  const { signature, amount, sender, sender_player: player } = deposit;
  return formAction({
    label: 'Resolve',
    title: 'Resolve this deposit',
    look: 'primary',
    facts: (
      <dl>
        {factsOf({
          Amount: <Amount amount={amount} />,
          Sender: <span className="break-all font-mono text-xs">{sender ?? '—'}</span>,
          Transaction: <span className="break-all font-mono text-xs">{signature}</span>,
        })}
      </dl>
    ),
    fields: {
      to: choiceField({ player: 'Credit a player', house: 'Credit the house' }),
      wallet: {
        initial: player?.wallet ?? '',
        input: ({ value, onChange, values }) =>
          values.to === 'player' && (
            <div className="mb-3 basis-full">
              <PlayerField wallet={value} onChange={onChange} />
            </div>
          ),
      },
    },
    text: ({ to }) =>
      (to === 'player' || BigInt(amount.minor) > BigInt(soloMax.minor)) && (
        <>
          Two operators must agree. One operator alone can only credit the house, up to{' '}
          <Amount amount={soloMax} />
        </>
      ),
    act: ({ to, wallet }) =>
      to === 'house' || wallet !== ''
        ? {
            call: 'resolveUnmatched',
            params: { signature },
            body: { to: to === 'house' ? to : `player:${wallet}` },
          }
        : null,
  });
}
