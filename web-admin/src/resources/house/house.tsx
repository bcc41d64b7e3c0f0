import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { formatInteger } from '@reelbook/web/format';
import { Link } from 'react-router';
import { Amount, accountName, Mono, Now } from '../../components/chips.tsx';
import { factsOf, Loaded, PageHead, Panel } from '../../components/panel.tsx';
import { amountText, isZero, rounded } from '../../lib/amounts.ts';
import { tokensOf } from '../../lib/filter.ts';
import { depositsPath, explorerPath, paths } from '../../lib/paths.ts';
import { useAtQuery, useHere } from '../../lib/point-in-time.ts';
import { CALM, useRead } from '../../lib/queries.ts';
import { agoText } from '../../lib/times.ts';
import { Account } from '../event/event-parts.tsx';
import { AccountOfHouse } from './account.tsx';
import { Games } from './games.tsx';

type Figures = AdminData<'solvency'>;

/** Assets, liabilities and margin, with the on-chain balance, and the trial balance: all at one position. */
function Solvency() {
  const query = useRead('solvency', { query: useAtQuery() }, CALM);
  return (
    <Loaded query={query} rows={8}>
      {(solvency) => (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="grid min-w-0 gap-4">
            <Coverage solvency={solvency} />
            <Now>
              <Queues solvency={solvency} />
            </Now>
          </div>
          <TrialBalance solvency={solvency} />
        </div>
      )}
    </Loaded>
  );
}

/** The margin with every term, twice: what is owed, and the house's own funds. */
function Coverage({ solvency }: { solvency: Figures }) {
  const { points_value: value } = solvency;
  return (
    <Panel
      title="Coverage, BSM"
      aside={
        <>
          <span className="font-mono">#{formatInteger(solvency.position)}</span>
          <Badge tone={solvency.solvent ? 'good' : 'bad'}>
            {solvency.solvent ? 'covered' : 'NOT covered'}
          </Badge>
        </>
      }
    >
      <Terms
        title="Assets less liabilities"
        terms={solvency.margin_terms}
        margin={solvency.margin}
      />
      {solvency.hot_wallet_max && (
        <p className="ledger-line">
          <span>Hot wallet cap</span>
          <Amount amount={solvency.hot_wallet_max} />
        </p>
      )}
      {solvency.over_cap && (
        <p
          role="alert"
          className="mt-2 rounded-sm border border-coral bg-coral-soft px-3 py-2 text-sm"
        >
          The hot wallet is {amountText(rounded(solvency.over_cap))} BSM over its cap. Move house
          funds to a cold wallet.
        </p>
      )}
      {solvency.single_provider && (
        <p role="alert" className="mt-2 rounded-sm border border-coral px-3 py-2 text-sm">
          One RPC provider is configured: deposits of any amount are credited on its word alone;
          withdraw.* limits what is paid automatically.
        </p>
      )}
      <Terms
        title="The same margin, from the house's own funds"
        terms={solvency.own_terms}
        margin={solvency.margin}
      />
      <p className="mt-3 mb-1 text-fg-3 text-xs">Points of players</p>
      <p className="ledger-line">
        <span>Points held by players</span>
        <Amount amount={solvency.points_held} />
      </p>
      <p className="ledger-line">
        <span>
          Their value at {formatInteger(value.numerator)} BSM for {formatInteger(value.denominator)}{' '}
          points
        </span>
        <Amount amount={value.amount} />
      </p>
      <p className="ledger-line">
        <span>Margin if all were exchanged</span>
        <Amount amount={value.margin_after} signed />
      </p>
    </Panel>
  );
}

/** The names of the server's terms. */
const TERMS: Readonly<Record<string, string>> = {
  onChain: 'On-chain balance, last observation',
  inFlight: 'On-chain, not in the ledger yet',
  players: 'Balances of players',
  withdrawals: 'Held for withdrawals, net',
  openFees: 'Fees of open withdrawals',
  unmatched: 'Unmatched deposits',
  ownOnChain: 'Own part of the on-chain balance',
  house: 'House account',
  earnedFees: 'Fees earned by paid withdrawals',
};

function Terms(props: {
  title: string;
  terms: Figures['margin_terms'];
  margin: Figures['margin'];
}) {
  const { title, terms, margin } = props;
  const here = useHere();
  return (
    <div className="mb-4" data-testid="margin-terms">
      <p className="mb-1 text-fg-3 text-xs">{title}</p>
      {terms.map(({ name, amount, filter }) => (
        <p key={name} className="ledger-line" data-testid={`term-${name}`}>
          {filter ? (
            <Link
              to={here(explorerPath(tokensOf(filter)))}
              className="hover:text-brass hover:underline"
            >
              {TERMS[name] ?? name}
            </Link>
          ) : (
            <span>{TERMS[name] ?? name}</span>
          )}
          <Amount amount={amount} signed />
        </p>
      ))}
      <p className="ledger-line font-semibold" data-testid="margin">
        <span>Margin, BSM</span>
        <Amount amount={margin} signed />
      </p>
    </div>
  );
}

function Queues({ solvency }: { solvency: Figures }) {
  const here = useHere();
  const { queues } = solvency;
  const isOpen = queues.requested + queues.approved + queues.signed > 0;
  const link = (path: string, count: number) => (
    <Link to={here(path)} className="font-mono hover:text-brass hover:underline">
      {formatInteger(count)}
    </Link>
  );
  return (
    <Panel title="Pending">
      <dl>
        {factsOf({
          'Awaiting approval': link(paths.withdrawals, queues.requested),
          'Awaiting signature': link(paths.withdrawals, queues.approved),
          'Sent, not finalized': link(paths.withdrawals, queues.signed),
          'Approved, on hold': link(paths.withdrawals, queues.on_hold),
          'Pending deposits': link(depositsPath({ state: 'pending' }), queues.pending),
          'Unmatched deposits': link(depositsPath({ state: 'unmatched' }), queues.unmatched),
          'Oldest withdrawal': isOpen ? <Mono>{agoText(queues.oldest_withdrawal_s)}</Mono> : 'none',
        })}
      </dl>
    </Panel>
  );
}

/** All lines, and the sum of each asset, which must be zero. */
function TrialBalance({ solvency: { lines, sums } }: { solvency: Figures }) {
  return (
    <Panel title="Trial balance">
      {sums.map((sum) => (
        <div key={sum.asset} className="mb-4 last:mb-0" data-testid={`trial-${sum.asset}`}>
          {lines
            .filter(({ balance }) => balance.asset === sum.asset)
            .map(({ line, balance }) => (
              <p key={line} className="ledger-line">
                <span>{line === 'players' ? accountName(line) : <Account account={line} />}</span>
                <Amount amount={balance} />
              </p>
            ))}
          <p className="ledger-line">
            <span>Sum</span>
            <span className={isZero(sum) ? '' : 'text-coral'}>
              <Amount amount={sum} />
            </span>
          </p>
        </div>
      ))}
    </Panel>
  );
}

/** One account of the house if it is selected, solvency, and games. */
export function House() {
  return (
    <>
      <PageHead title="House">
        Assets compared with liabilities. Each figure links to its events.
      </PageHead>
      <AccountOfHouse />
      <Solvency />
      <h2 className="mt-8 text-lg">Days & games</h2>
      <p className="mt-0.5 mb-4 text-fg-2 text-sm">
        Revenue and net result by day, and actual return compared with the theoretical return.
      </p>
      <Now>
        <Games />
      </Now>
    </>
  );
}
