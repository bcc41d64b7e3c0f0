import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { CheckIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { JobDialog } from '../../components/action-dialog.tsx';
import { PositionChip } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { amountText } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { plural } from '../../lib/plural.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { agoText } from '../../lib/times.ts';

type Follower = AdminData<'engine'>['followers'][number];

interface Item {
  readonly text: string;
  readonly hint?: string;
  /** The page that handles it. */
  readonly to?: string;
  /** A fault of the system or of the ledger. The others are work for an operator. */
  readonly isFault?: boolean;
  readonly stopped?: Follower;
}

interface State {
  readonly solvency: AdminData<'solvency'>;
  readonly engine: AdminData<'engine'>;
  readonly switches: AdminData<'switches'>;
  readonly changes: number;
  readonly onPlayers: number;
  readonly audit: AdminData<'jobs'>['jobs'][number] | null;
}

/** What waits for an operator, faults first; a row links to the page that handles it, or has the action that ends it. */
export function NeedsAction() {
  const query = useNeeds();
  return (
    <Panel flush title="Needs action">
      <Loaded query={query} rows={4}>
        {(state) => <Items items={[...faultsOf(state), ...workOf(state)]} />}
      </Loaded>
    </Panel>
  );
}

const ROW =
  'flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 text-sm';

function Items({ items }: { items: readonly Item[] }) {
  const here = useHere();
  if (items.length === 0) {
    return (
      <p className="flex items-center gap-2 px-4 py-4 text-mint text-sm">
        <CheckIcon /> Nothing needs action.
      </p>
    );
  }
  return (
    <ul data-testid="needs-action">
      {items.map(({ text, hint, to, isFault, stopped }) => (
        <li key={text} className="border-line border-b last:border-0">
          {to === undefined ? (
            <p className={ROW}>
              <span className={isFault ? 'font-medium text-coral' : ''}>{text}</span>
              {stopped && <Resume follower={stopped} />}
            </p>
          ) : (
            <Link to={here(to)} className={`${ROW} hover:bg-ink-3`}>
              <span className={isFault ? 'font-medium text-coral' : ''}>{text}</span>
              {hint && <span className="text-fg-3 text-xs">{hint}</span>}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Why a follower stopped, and the action that resumes it. */
function Resume({ follower }: { follower: Follower }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { name, stopped, stopped_at: at } = follower;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-fg-2 text-xs">{stopped}</span>
      {at !== null && <PositionChip position={at} />}
      {may('operator') && (
        <Button size="small" onClick={() => setOpen(true)}>
          Resume
        </Button>
      )}
      {isOpen && (
        <JobDialog
          title={`Resume ${name}`}
          action="Resume"
          records="ReadModelOperationStarted"
          facts={[
            ['Name', name],
            ['Position', `#${formatInteger(follower.position)}`],
          ]}
          onSubmit={(reason) =>
            api.call('continueFollower', { params: { name }, body: { reason } })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  );
}

/** All reads as one query: shown when every one has responded. */
function useNeeds() {
  const calm = { refetchInterval: CALM_EVERY_MS };
  const solvency = useQuery({ ...read('solvency'), ...calm });
  const engine = useQuery({ ...read('engine'), ...calm });
  const switches = useQuery({ ...read('switches'), ...calm });
  const changes = useQuery({ ...read('proposals'), ...calm });
  const onPlayers = useQuery({ ...read('adjustments'), ...calm });
  const jobs = useQuery({ ...read('jobs', { query: { kind: 'audit', limit: 1 } }), ...calm });
  const all = [solvency, engine, switches, changes, onPlayers, jobs];
  const data: State | undefined =
    solvency.data && engine.data && switches.data && changes.data && onPlayers.data && jobs.data
      ? {
          ...{ solvency: solvency.data, engine: engine.data, switches: switches.data },
          ...{ changes: changes.data.length, onPlayers: onPlayers.data.length },
          audit: jobs.data.jobs[0] ?? null,
        }
      : undefined;
  return {
    data,
    error: all.find(({ error }) => error)?.error ?? null,
    dataUpdatedAt: Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: () => Promise.all(all.map((one) => one.refetch())),
  };
}

const CASHIER_TEXTS = {
  behind: 'Transfers on the chain are not recorded yet.',
  stopped: 'No cashier is active: deposits are not credited, withdrawals are not paid.',
};

function faultsOf({ solvency, engine, audit }: State): readonly Item[] {
  const { head, followers, cashier, bus } = engine;
  const items: Item[] = [];
  const add = (text: string, more: Partial<Item> = {}) =>
    items.push({ text, isFault: true, ...more });
  if (!head.accepts) add('Appends are blocked: no bet, deposit or withdrawal can be recorded.');
  for (const one of followers) {
    const { name, condition } = one;
    if (condition === 'stopped') add(`${name} has stopped`, { stopped: one });
    if (condition === 'behind') add(`${name} is ${agoText(one.behind_s)} behind`);
  }
  if (cashier === 'stopped' || cashier === 'behind') add(CASHIER_TEXTS[cashier]);
  if (!bus) add('NATS is unavailable: live updates are delayed, the ledger is not affected.');
  if (!solvency.solvent) {
    add(`Assets do not cover liabilities: margin ${amountText(solvency.margin)} BSM`, {
      to: paths.house,
    });
  }
  const ended = audit && audit.state !== 'running' ? audit : null;
  if (ended && !ended.audit) add('The last audit ended without a result', { to: paths.audit });
  if (ended?.audit && !ended.audit.clean) {
    add(
      `The last audit has ${ended.audit.findings} ${plural(ended.audit.findings, 'finding', 'findings')}`,
      { to: paths.audit },
    );
  }
  return items;
}

function workOf(state: State): readonly Item[] {
  const { solvency, switches, changes, onPlayers, audit } = state;
  const { requested, on_hold, unmatched, oldest_withdrawal_s: oldestS } = solvency.queues;
  const items: Item[] = [];
  const add = (count: number, text: (count: number) => string, to: string, hint = '') => {
    if (count > 0) items.push({ text: text(count), to, hint });
  };
  const oldest = `oldest open: ${agoText(oldestS)}`;
  add(
    requested,
    (count) => `${count} ${plural(count, 'withdrawal awaits', 'withdrawals await')} approval`,
    paths.withdrawals,
    oldest,
  );
  add(
    on_hold,
    (count) => `${count} approved ${plural(count, 'withdrawal is', 'withdrawals are')} on hold`,
    paths.withdrawals,
    oldest,
  );
  add(
    unmatched,
    (count) => `${count} unmatched ${plural(count, 'deposit', 'deposits')}`,
    paths.unmatched,
  );
  add(
    changes,
    (count) => `${count} proposed ${plural(count, 'change', 'changes')} of configuration or roles`,
    paths.configuration,
  );
  add(
    onPlayers,
    (count) => `${count} proposed ${plural(count, 'adjustment or void', 'adjustments or voids')}`,
    paths.players,
  );
  if (solvency.over_cap) {
    const over = amountText(solvency.over_cap);
    items.push({
      text: `The hot wallet is ${over} BSM over its cap. Move house funds to a cold wallet.`,
      to: paths.house,
    });
  }
  if (solvency.single_provider) {
    items.push({
      text: 'One RPC provider is configured: deposits of any amount are credited on its word alone; withdraw.* limits what is paid automatically.',
      to: paths.house,
    });
  }
  const { length: count } = switches.filter(({ on }) => !on);
  if (count > 0)
    items.push({ text: `${count} ${plural(count, 'function is', 'functions are')} stopped` });
  if (!audit)
    items.push({ text: 'The ledger has not been audited in the console yet', to: paths.audit });
  else if (audit.audit?.unproven?.length) {
    const count = audit.audit.unproven.length;
    items.push({
      text: `The last audit could not prove ${count} ${plural(count, 'item', 'items')}`,
      to: paths.audit,
    });
  }
  return items;
}
