import type { AdminData } from '@reelbook/admin/answers';
import type { Amount as AmountData } from '@reelbook/contract/admin/common';
import { Badge } from '@reelbook/web/components/badge';
import { CheckIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { Link } from 'react-router';
import { type Action, Actions } from '../../components/actions.tsx';
import { Amount, auditTone, PositionChip } from '../../components/chips.tsx';
import { Figure, Loaded, PageHead, Panel } from '../../components/panel.tsx';
import { amountText, counted, plural, rounded, signedText } from '../../lib/amounts.ts';
import { api } from '../../lib/api.ts';
import { depositsPath, PAGES, paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM, LAST_AUDIT, useRead } from '../../lib/queries.ts';
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

/** What waits for an operator, faults first; a row links to the page that handles it, or has the action that ends it. */
function NeedsAction() {
  const query = useNeeds();
  return (
    <Panel flush title="Needs action">
      <Loaded query={query} rows={4}>
        {(state) => (
          <Items items={[...faultsOf(state), ...workOf(state)].filter((one) => one !== false)} />
        )}
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
  const { name, stopped, stopped_at: at, position } = follower;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-fg-2 text-xs">{stopped}</span>
      {at !== null && <PositionChip position={at} />}
      <Actions
        of={[
          {
            label: 'Resume',
            title: `Resume ${name}`,
            act: {
              records: 'ReadModelOperationStarted',
              facts: { Name: name, Position: `#${formatInteger(position)}` },
              send: (reason) =>
                api.call('continueFollower', { params: { name }, body: { reason } }),
            },
          },
        ]}
      />
    </span>
  );
}

/** All reads as one query: shown when every one has responded. */
function useNeeds() {
  const of = {
    solvency: useRead('solvency', null, CALM),
    engine: useRead('engine', null, CALM),
    switches: useRead('switches', null, CALM),
    proposals: useRead('proposals', null, CALM),
    audits: useRead('jobs', LAST_AUDIT, CALM),
  };
  const all = Object.values(of);
  const data = Object.fromEntries(Object.entries(of).map(([name, { data }]) => [name, data]));
  return {
    data: all.every(({ data }) => data !== undefined) ? (data as unknown as State) : undefined,
    error: all.find(({ error }) => error)?.error ?? null,
    dataUpdatedAt: Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    refetch: () => Promise.all(all.map((one) => one.refetch())),
  };
}
interface State {
  readonly solvency: AdminData<'solvency'>;
  readonly engine: AdminData<'engine'>;
  readonly switches: AdminData<'switches'>;
  readonly proposals: AdminData<'proposals'>;
  readonly audits: AdminData<'jobs'>;
}

const CASHIER_TEXTS = {
  behind: 'Transfers on the chain are not recorded yet.',
  stopped: 'No cashier is active: deposits are not credited, withdrawals are not paid.',
};

function faultsOf({ solvency, engine, audits }: State): readonly (Item | false)[] {
  const { head, followers, cashier, bus, standby } = engine;
  const audit = audits.audited?.audit;
  return [
    !head.accepts && {
      text: 'Appends are blocked: no bet, deposit or withdrawal can be recorded.',
    },
    ...followers.map((one): Item | false => {
      const { name, condition } = one;
      if (condition === 'stopped') return { text: `${name} has stopped`, stopped: one };
      return condition === 'behind' && { text: `${name} is ${agoText(one.behind_s)} behind` };
    }),
    (cashier === 'stopped' || cashier === 'behind') && { text: CASHIER_TEXTS[cashier] },
    !bus && { text: 'NATS is unavailable: live updates are delayed, the ledger is not affected.' },
    standby?.fault != null && { text: `The standby is not used: ${standby.fault}` },
    !solvency.solvent && {
      text: `Assets do not cover liabilities: margin ${amountText(rounded(solvency.margin))} BSM`,
      to: paths.house,
    },
    audits.jobs[0]?.error != null && { text: 'The newest audit has no result', to: paths.audit },
    audit?.clean === false && {
      text: `The last audit has ${counted(audit.findings, 'finding')}`,
      to: paths.audit,
    },
  ].map((one) => one && { ...one, isFault: true });
}

function workOf(state: State): readonly (Item | false)[] {
  const { solvency, engine, switches, proposals, audits } = state;
  const { audited } = audits;
  const { requested, on_hold: onHold, unmatched, oldest_withdrawal_s: oldestS } = solvency.queues;
  const { pending, oldest_pending_s: pendingS } = solvency.queues;
  const hint = `oldest open: ${agoText(oldestS)}`;
  const stopped = switches.filter(({ on }) => !on).length;
  const unproven = audited?.audit?.unproven?.length ?? 0;
  const dueS = audited?.ended_at ? ageOf(engine, audited.ended_at) : 0;
  return [
    requested > 0 && {
      text: `${counted(requested, 'withdrawal awaits', 'withdrawals await')} approval`,
      to: paths.withdrawals,
      hint,
    },
    onHold > 0 && {
      text: `${onHold} approved ${plural(onHold, 'withdrawal is', 'withdrawals are')} on hold`,
      to: paths.withdrawals,
      hint,
    },
    unmatched > 0 && {
      text: counted(unmatched, 'unmatched deposit'),
      to: depositsPath({ state: 'unmatched' }),
    },
    pendingS > PENDING_DUE_S && {
      text: counted(pending, 'pending deposit'),
      to: depositsPath({ state: 'pending' }),
      hint: `oldest: ${agoText(pendingS)}`,
    },
    proposals.length > 0 && {
      text: `${counted(proposals.length, 'proposal awaits', 'proposals await')} approval`,
      to: paths.approvals,
    },
    solvency.over_cap != null && {
      text: `The hot wallet is ${amountText(rounded(solvency.over_cap))} BSM over its cap. Move house funds to a cold wallet.`,
      to: paths.house,
    },
    solvency.single_provider === true && {
      text: 'One RPC provider is configured: deposits of any amount are credited on its word alone; withdraw.* limits what is paid automatically.',
      to: paths.house,
    },
    stopped > 0 && { text: `${counted(stopped, 'function is', 'functions are')} stopped` },
    !audited && { text: 'The ledger has not been audited in the console yet', to: paths.audit },
    unproven > 0 && {
      text: `The last audit could not prove ${counted(unproven, 'item')}`,
      to: paths.audit,
    },
    dueS > AUDIT_DUE_S && {
      text: `An audit is due: the last one ended ${agoText(dueS)} ago`,
      to: paths.audit,
      hint: 'audit once a day',
    },
  ];
}

/** The ledger is to be audited again after a day. */
const AUDIT_DUE_S = 86_400;
/** A deposit is usually recorded within half a minute. */
const PENDING_DUE_S = 120;

/** In seconds, by the clock of the ledger. */
const ageOf = ({ time }: { readonly time: string }, then: string) =>
  Math.max(0, (Date.parse(time) - Date.parse(then)) / 1_000);

const WAITS = 'There is a waiting period, unless one operator alone had stopped it.';

const switchAction = ({ switch: name, title, on }: AdminData<'switches'>[number]): Action => ({
  label: on ? 'Stop' : 'Resume',
  title: on ? `Stop: ${title}` : `Resume: ${title}`,
  isDangerous: on,
  text: !on && `This does not take effect immediately: another operator must approve it. ${WAITS}`,
  act: { call: 'setSwitch', body: { switch: name, on: !on } },
});

/** Functions that an operator can stop immediately, with their status. */
function Switches() {
  const here = useHere();
  const query = useRead('switches', null, CALM);
  return (
    <Panel title="Functions">
      <p className="mb-2 text-fg-2 text-sm">
        One operator can stop a function, immediately and on every gateway. Resuming takes two
        operators. {WAITS} Open rounds are still settled; withdrawals wait. To stop a single player,
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
                <Actions of={[switchAction(one)]} />
              </span>
            </div>
          ))
        }
      </Loaded>
    </Panel>
  );
}

/** The first page: what needs action, the state of the ledger and its proofs, and the functions that can be stopped. */
export function Overview() {
  return (
    <>
      <PageHead title="Overview">What needs an operator, and the state of the ledger.</PageHead>
      <div className="grid gap-4">
        <StartHere />
        <Today />
        <NeedsAction />
        <Proofs />
        <Switches />
      </div>
    </>
  );
}

/** The money of the day (UTC) so far. */
function Today() {
  const { data: today } = useRead('today', null, CALM);
  const { data: solvency } = useRead('solvency', null, CALM);
  const { points, token } = today ?? {};
  const value = (amount: AmountData | undefined, signed = false) =>
    amount ? <Amount amount={amount} signed={signed} unit={false} rounded /> : '…';
  return (
    <section aria-label="Today" className="grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Figure
        label="Revenue today, points"
        value={value(points?.revenue, true)}
        hint={points && `net ${signedText(points.net)}, to #${formatInteger(today?.position ?? 0)}`}
      />
      <Figure
        label="Deposits today, BSM"
        value={value(token?.deposits)}
        hint={token && `unmatched ${signedText(rounded(token.unmatched))}`}
      />
      <Figure
        label="Payouts today, BSM"
        value={value(token?.payouts)}
        hint={token && `fees ${amountText(rounded(token.revenue))}`}
      />
      <Figure
        label="Margin, BSM"
        value={value(solvency?.margin)}
        hint="assets less liabilities"
        tone={solvency && !solvency.solvent ? 'bad' : 'plain'}
      />
      <Figure
        label="Players online"
        value={today ? formatInteger(today.online) : '…'}
        hint="active within 5 min"
      />
    </section>
  );
}

/** The ledger's head and how far it is sealed, anchored on the chain and audited. */
function Proofs() {
  const { data: engine } = useRead('engine', null, CALM);
  const audited = useRead('jobs', LAST_AUDIT, CALM).data?.audited;
  const ago = (time: string | null | undefined) =>
    engine && time ? `${agoText(ageOf(engine, time))} ago` : '';
  const at = (position: number | undefined) => {
    if (position) return `#${formatInteger(position)}`;
    return engine ? '—' : '…';
  };
  const { head, seals, standby } = engine ?? {};
  const lag =
    standby?.behind_s == null
      ? ''
      : `; standby ${formatInteger(standby.behind_positions ?? 0)} events (${standby.behind_s.toFixed(1)} s) behind`;
  const sealed = seals?.anchored_to ?? null;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label="Head"
        value={head ? `#${formatInteger(head.position)}` : '…'}
        hint={head?.age_s == null ? '' : `last event ${agoText(head.age_s)} ago${lag}`}
      />
      <Figure
        label="Last audit, to"
        value={at(audited?.audit?.events)}
        hint={ago(audited?.ended_at)}
        tone={audited?.audit ? auditTone(audited.audit) : 'plain'}
      />
      <Figure label="Sealed to" value={at(seals?.to)} hint={ago(seals?.last_at)} />
      <Figure
        label="Anchored on the chain"
        value={sealed === null ? at(undefined) : `to seal ${formatInteger(sealed)}`}
        hint={ago(seals?.anchored_at)}
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
  const { data } = useRead('players', { query: { sort: 'registered', limit: 1 } }, CALM);
  if (data?.players.length !== 0) return null;
  return (
    <Panel title="Getting started">
      <p className="mb-2 text-fg-2 text-sm">
        No player has logged in yet. The first login appears in the explorer.
      </p>
      <ol className="list-decimal pl-5 text-sm">
        {(['configuration', 'audit'] as const).map((page) => (
          <li key={page} className="py-1">
            <Link to={paths[page]} className="text-brass underline">
              {PAGES[page].title}
            </Link>{' '}
            {STEPS[page]}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
