import type { AdminData } from '@reelbook/admin/answers';
import type { EventType } from '@reelbook/ledger/event-types';
import type { Asset } from '@reelbook/ledger/money';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import { counted, plural, unitOf } from '../lib/amounts.ts';
import { tokensOf } from '../lib/filter.ts';
import { AT_PARAM, explorerPath } from '../lib/paths.ts';
import { type Point, useAtQuery, useHere, usePoint } from '../lib/point-in-time.ts';
import { CALM_EVERY_MS, read, useRead } from '../lib/queries.ts';
import { dateTimeText } from '../lib/times.ts';
import { Amount, PositionChip } from './chips.tsx';
import { Loaded, Panel } from './panel.tsx';
import { PointField } from './point-field.tsx';

type Explanation = AdminData<'explainBalance'>[number];
/** As it was asked for. */
type Period = readonly [since: Point, until: Point];

/**
 * Opening balance, each kind of credit and debit with a link to its events, and the balance, as of `at`: of one asset, or of
 * both at the same position. The period is in the URL.
 */
export function Explained(props: { account: string; asset?: Asset; at: number | null }) {
  const { account, asset } = props;
  const [since, setSince] = usePoint('since');
  const [until, setUntil] = usePoint('until');
  const [page] = usePoint(AT_PARAM);
  const period: Period = [since, until.position === null && props.at !== null ? page : until];
  const statement = useRef<HTMLDivElement>(null);
  const at = until.position ?? props.at;
  const query = useQuery({
    ...read('explainBalance', {
      query: {
        account,
        ...(asset && { asset }),
        ...(at !== null && { at }),
        ...(since.position !== null && { from: since.position }),
      },
    }),
    placeholderData: (before) => before,
    refetchInterval: CALM_EVERY_MS,
  });
  return (
    <div ref={statement}>
      <Panel
        title={`Balance explained, ${asset ? unitOf(asset) : 'points and BSM'}`}
        aside={
          <Button size="small" className="no-print" onClick={() => printPart(statement.current)}>
            Print statement
          </Button>
        }
      >
        <div className="no-print mb-3 flex flex-wrap gap-3">
          <PointField
            label="From, position or time (empty: first event)"
            point={since}
            onChange={setSince}
          />
          <PointField label="To (empty: that of the page)" point={until} onChange={setUntil} />
        </div>
        <Loaded query={query} rows={5}>
          {(explanations) => (
            <>
              <StatementHead account={account} of={explanations} period={period} />
              {explanations.map((one) => (
                <Terms key={one.opening.asset} explanation={one} />
              ))}
            </>
          )}
        </Loaded>
      </Panel>
    </div>
  );
}

/** Prints one part of the page; see console.css. */
function printPart(part: HTMLElement | null): void {
  if (!part) return;
  part.dataset.printOnly = '';
  window.addEventListener('afterprint', () => delete part.dataset.printOnly, { once: true });
  window.print();
}

/** Whose statement it is, the period that was asked for, and its events. Shown for a chosen period, and always printed. */
function StatementHead(props: { account: string; of: readonly Explanation[]; period: Period }) {
  const { account, of, period } = props;
  const [explanation] = of;
  const [since, until] = period;
  const wallet = account.split('player:')[1] ?? '';
  const { data: player } = useRead(
    'player',
    { params: { wallet }, query: useAtQuery() },
    { enabled: wallet !== '' },
  );
  if (!explanation) return null;
  const isChosen = period.some(({ position }) => position !== null);
  return (
    <p
      className={`mb-2 wrap-anywhere text-sm ${isChosen ? '' : 'hidden print:block'}`}
      data-testid="statement-head"
    >
      Reelbook. {player?.nickname && <bdi>{player.nickname}, </bdi>}account {account}. Period: from{' '}
      {askedText(since) ?? 'the first event'} to {askedText(until) ?? 'now'}.{' '}
      {eventsText(explanation)}
    </p>
  );
}

const askedText = ({ position, asked }: Point) =>
  asked === null ? position && eventText({ position, time: null }) : `${dateTimeText(asked)} UTC`;

const eventText = ({ position, time }: Explanation['at']) =>
  `event #${formatInteger(position)}${time === null ? '' : ` (${dateTimeText(time)} UTC)`}`;

/** The opening is that of `from`, which may be long before the period. */
function eventsText({ from, at }: Explanation): string {
  const count = at.position - from.position;
  if (count === 0)
    return `It has no events of the ledger; the last one before it is ${eventText(at)}.`;
  const after = from.time === null ? '' : `after ${eventText(from)}, `;
  return `It has ${counted(count, 'event')} of the ledger: ${after}up to ${eventText(at)}.`;
}

function Terms({ explanation }: { explanation: Explanation }) {
  const { opening, terms, balance, adds_up: addsUp, from, at, since } = explanation;
  return (
    <section
      className="mb-4 last:mb-0"
      aria-label={`Balance explained, ${unitOf(balance.asset)}`}
      data-testid="explained"
    >
      <p className="ledger-line">
        <span className="flex flex-wrap items-center gap-2">
          Opening balance
          {from.position > 0 && <PositionChip position={from.position} />}
        </span>
        <Amount amount={opening} />
      </p>
      {terms.map((term) => (
        <Term key={`${term.type}${term.game}${term.credit}`} term={term} />
      ))}
      <p className="ledger-line font-semibold" data-testid="explained-balance">
        <span className="flex flex-wrap items-center gap-2">
          Balance, {unitOf(balance.asset)}
          {since !== null && <PositionChip position={since} />}
          <span className="font-mono font-normal text-fg-3 text-xs">
            As of #{formatInteger(at.position)}
          </span>
        </span>
        <Amount amount={balance} />
      </p>
      {!addsUp && (
        <p role="alert" className="mt-2 text-coral text-sm">
          The terms do not add up to the balance. Run an audit.
        </p>
      )}
    </section>
  );
}

/** What the events of a type are to a balance. */
const KINDS: Readonly<Record<string, string>> = {
  BetPlaced: 'Stakes',
  BetWon: 'Winnings',
  BetVoided: 'Stakes returned',
  WelcomeGranted: 'Welcome points',
  Exchanged: 'Exchanges',
  BalanceAdjusted: 'Adjustments',
  DepositCredited: 'Deposits credited',
  WithdrawalRequested: 'Withdrawals requested',
  WithdrawalReleased: 'Withdrawals returned',
  WithdrawalFinalized: 'Withdrawals paid',
  UnmatchedDepositSeen: 'Unmatched deposits',
  UnmatchedDepositResolved: 'Unmatched deposits kept by the house',
} satisfies Partial<Record<EventType, string>>;
/** Types of both directions. */
const TWO_WAY: readonly string[] = ['Exchanged', 'BalanceAdjusted'];

function Term({ term }: { term: Explanation['terms'][number] }) {
  const here = useHere();
  const { type, game, credit, events, amount, filter } = term;
  const kind = KINDS[type] ?? type;
  const name = TWO_WAY.includes(type) ? (credit ? `${kind}, received` : `${kind}, given`) : kind;
  return (
    <p className="ledger-line">
      <Link
        to={here(explorerPath(tokensOf(filter)))}
        className="hover:text-brass hover:underline"
        data-testid={`term-${type}-${credit ? 'credit' : 'debit'}`}
      >
        {name}
        {game && <span className="ml-1.5 text-fg-3">{game}</span>}
        <span className="ml-2 font-mono text-fg-3 text-xs">
          {events} {plural(events, 'event', 'events')}
        </span>
      </Link>
      <Amount amount={amount} signed />
    </p>
  );
}
