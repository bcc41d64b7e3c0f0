import type { AdminData } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { CheckIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ActionDialog, JobDialog } from '../../components/action-dialog.tsx';
import { PositionChip } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Figure, PageHead, Panel } from '../../components/panel.tsx';
import { amountText } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { PAGE_NAMES, paths } from '../../lib/paths.ts';
import { plural } from '../../lib/plural.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/session-store.ts';
import { agoText } from '../../lib/times.ts';
import { useTitle } from '../../lib/use-title.ts';

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
  const jobs = useQuery({ ...read('jobs', { query: { kind: 'audit', limit: 1 } }), ...calm });
  const all = [solvency, engine, switches, changes, jobs];
  const data: State | undefined =
    solvency.data && engine.data && switches.data && changes.data && jobs.data
      ? {
          solvency: solvency.data,
          engine: engine.data,
          switches: switches.data,
          changes: changes.data.length,
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
  const { solvency, switches, changes, audit } = state;
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
    (count) => `${count} ${plural(count, 'proposal awaits', 'proposals await')} approval`,
    paths.approvals,
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
  const ageS = audit?.ended_at ? ageOf(state.engine, audit.ended_at) : 0;
  if (ageS > AUDIT_DUE_S) {
    const text = `An audit is due: the last one ended ${agoText(ageS)} ago`;
    items.push({ text, to: paths.audit, hint: 'audit once a day' });
  }
  return items;
}

/** The ledger is to be audited again after a day. */
const AUDIT_DUE_S = 86_400;

/** In seconds, by the clock of the ledger. */
const ageOf = ({ time }: { readonly time: string }, then: string) =>
  Math.max(0, (Date.parse(time) - Date.parse(then)) / 1_000);

type Switch = AdminData<'switches'>[number];

/** Functions that an operator can stop immediately, with their status. */
export function Switches() {
  const here = useHere();
  const may = useMay();
  const query = useQuery({ ...read('switches'), refetchInterval: CALM_EVERY_MS });
  const [selected, setSelected] = useState<Switch | null>(null);
  return (
    <>
      <Panel title="Functions">
        <p className="mb-2 text-fg-2 text-sm">
          One operator can stop a function, immediately and on every gateway. Resuming takes two
          operators. Open rounds are still settled; withdrawals wait. To stop a single player,
          suspend the player:{' '}
          <Link to={here(paths.players)} className="text-brass underline">
            Players
          </Link>
        </p>
        <Loaded query={query}>
          {(switches) =>
            switches.map((one) => (
              <div
                key={one.switch}
                className="flex min-h-14 items-center justify-between gap-4 border-line border-b last:border-0"
              >
                <p>
                  {one.title}
                  <span className="block font-mono text-fg-3 text-xs">{one.switch}</span>
                </p>
                <span className="flex items-center gap-3">
                  <Badge tone={one.on ? 'good' : 'bad'}>{one.on ? 'active' : 'stopped'}</Badge>
                  {may('operator') && (
                    <Button size="small" onClick={() => setSelected(one)}>
                      {one.on ? 'Stop' : 'Resume'}
                    </Button>
                  )}
                </span>
              </div>
            ))
          }
        </Loaded>
      </Panel>
      {selected && <SwitchDialog one={selected} onClose={() => setSelected(null)} />}
    </>
  );
}

function SwitchDialog({ one, onClose }: { one: Switch; onClose(): void }) {
  const on = !one.on;
  return (
    <ActionDialog
      title={on ? `Resume: ${one.title}` : `Stop: ${one.title}`}
      action={on ? 'Resume' : 'Stop'}
      isDangerous={!on}
      act={{ call: 'setSwitch', body: { switch: one.switch, on } }}
      onClose={onClose}
    >
      {on && (
        <p className="mb-3 text-fg-2 text-sm">
          This does not take effect immediately: another operator must confirm it.
        </p>
      )}
    </ActionDialog>
  );
}

/** The first page: what needs action, the state of the ledger and its proofs, and the functions that can be stopped. */
export function Overview() {
  useTitle('Overview');
  return (
    <>
      <PageHead title="Overview">What needs an operator, and the state of the ledger.</PageHead>
      <div className="grid gap-4">
        <StartHere />
        <NeedsAction />
        <Proofs />
        <Switches />
      </div>
    </>
  );
}

/** The ledger's head and how far it is sealed, anchored on the chain and audited. */
function Proofs() {
  const calm = { refetchInterval: CALM_EVERY_MS };
  const { data: engine } = useQuery({ ...read('engine'), ...calm });
  const { data: jobs } = useQuery({
    ...read('jobs', { query: { kind: 'audit', limit: 1 } }),
    ...calm,
  });
  const audit = jobs?.jobs[0];
  const ago = (time: string | null | undefined) =>
    engine && time ? `${agoText(ageOf(engine, time))} ago` : '';
  const none = engine ? '—' : '…';
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label="Head"
        value={engine ? `#${formatInteger(engine.head.position)}` : '…'}
        hint={engine?.head.age_s == null ? '' : `last event ${agoText(engine.head.age_s)} ago`}
      />
      <Figure
        label="Last audit, to"
        value={audit?.audit ? `#${formatInteger(audit.audit.events)}` : none}
        hint={audit ? ago(audit.ended_at) : ''}
        tone={audit?.audit ? (audit.audit.clean ? 'good' : 'bad') : 'plain'}
      />
      <Figure
        label="Sealed to"
        value={engine && engine.seals.to > 0 ? `#${formatInteger(engine.seals.to)}` : none}
        hint={ago(engine?.seals.last_at)}
      />
      <Figure
        label="Anchored on the chain"
        value={
          engine && engine.seals.anchored_to !== null
            ? `to seal ${formatInteger(engine.seals.anchored_to)}`
            : none
        }
        hint={ago(engine?.seals.anchored_at)}
      />
    </div>
  );
}

const STEPS = {
  configuration:
    'Give every operator a role; changes of roles need two admins. Check limits, fees and the rules of each game.',
  audit: 'Run an audit: it recomputes every event from the first one.',
};

/** The first steps, before the first login of a player. */
function StartHere() {
  const { data } = useQuery({
    ...read('players', { query: { limit: 1 } }),
    refetchInterval: CALM_EVERY_MS,
  });
  if (!data || data.players.length > 0) return null;
  const steps = [
    ['configuration', paths.configuration],
    ['audit', paths.audit],
  ] as const;
  return (
    <Panel title="Getting started">
      <p className="mb-2 text-fg-2 text-sm">
        No player has logged in yet. The first login appears in the explorer.
      </p>
      <ol className="list-decimal pl-5 text-sm">
        {steps.map(([step, to]) => (
          <li key={step} className="py-1">
            <Link to={to} className="text-brass underline">
              {PAGE_NAMES[step]}
            </Link>{' '}
            {STEPS[step]}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
