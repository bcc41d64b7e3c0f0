import type { DryRun } from '@reelbook/admin/answers';
import type { ActionName, AdminRoutes } from '@reelbook/contract/admin/routes';
import type { Input } from '@reelbook/contract/client';
import type { Asset } from '@reelbook/ledger/money';
import type { Role } from '@reelbook/ledger/operators/roles';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { AmountField } from '@reelbook/web/components/amount-field';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { Field } from '@reelbook/web/components/field';
import { Select } from '@reelbook/web/components/select';
import { formatInteger, shortAddress } from '@reelbook/web/format';
import { createStore, useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react';
import { useLocation } from 'react-router';
import { unitOf } from '../lib/amounts.ts';
import { api, dryRuns } from '../lib/api.ts';
import { useSilence } from '../lib/contact.ts';
import { useAt } from '../lib/point-in-time.ts';
import { refreshAfter, refreshLive, useLiveReadSince } from '../lib/queries.ts';
import { refusalText } from '../lib/refusal-text.ts';
import { useMay } from '../lib/session-store.ts';
import { valueText } from '../lib/setting-texts.ts';
import { fieldName, leavesOf } from '../lib/state-values.ts';
import { Amount, accountName, Choices, Code, DIFF, FromTo, SettingName } from './chips.tsx';
import { factsOf } from './panel.tsx';
import { EventSentence } from './sentence.tsx';

type Typed = 'reason' | 'note';

/** A call with its parameters and body, without the text that the dialog asks for. */
type Act = {
  [Name in ActionName]: { readonly call: Name } & Omit<
    Input<AdminRoutes[Name]>,
    'body' | 'idempotencyKey' | 'fingerprint' | 'signal'
  > &
    BodyOf<Input<AdminRoutes[Name]>['body']>;
}[ActionName];

type BodyOf<Body> = keyof Body extends Typed
  ? { readonly body?: undefined }
  : { readonly body: Omit<NonNullable<Body>, Typed> };

type Values = Readonly<Record<string, string>>;

/** A field of a form; what is typed or chosen is a text. */
interface FormField<Value extends string = string> {
  readonly initial: Value;
  input(props: { value: string; onChange(value: string): void; values: Values }): ReactNode;
}

/** What an operator can do: a button that opens a dialog, with the events that the call would append and its form. */
export interface Action {
  /** On the button; also the title of the dialog and on its button, unless they have their own. */
  readonly label: string;
  readonly title?: string;
  readonly submit?: string;
  readonly look?: 'primary';
  readonly isDangerous?: boolean;
  readonly disabled?: boolean;
  /** The least role that sees the button; by default `operator`. */
  readonly role?: Role;
  /** In the dialog: facts, then what the action does, then the fields. */
  readonly facts?: ReactNode;
  readonly text?: ReactNode | ((values: Values) => ReactNode);
  readonly fields?: Readonly<Record<string, FormField>>;
  /** Label of the text field, by default "Reason". */
  readonly reasonLabel?: string;
  /** The call, made from the values of the fields; null while they are not complete. */
  readonly act: Act | ((values: Values) => Act | null) | Job;
}

/** Work in the background, which the ledger records when it runs. */
interface Job {
  /** The event that records the work; null if it only reads. */
  readonly records: string | null;
  readonly facts?: Readonly<Record<string, ReactNode>>;
  send(reason: string): Promise<unknown>;
}

/** An action with a form; the values that `act` gets have the types of the fields. */
export function formAction<Fields extends Readonly<Record<string, FormField>>>(
  action: Omit<Action, 'act' | 'fields' | 'text'> & {
    readonly fields: Fields;
    readonly text?: ReactNode | ((values: ValuesOf<Fields>) => ReactNode);
    act(values: ValuesOf<Fields>): Act | null;
  },
): Action {
  return action as Action;
}
type ValuesOf<Fields extends Readonly<Record<string, FormField>>> = {
  readonly [Name in keyof Fields]: Fields[Name]['initial'];
};

export const textField = (
  label: string,
  maxLength: number,
  initial = '',
  mono = true,
): FormField => ({
  initial,
  input: ({ value, onChange }) => (
    <div className="mb-3 basis-full">
      <Field label={label} value={value} onChange={onChange} maxLength={maxLength} mono={mono} />
    </div>
  ),
});

export const selectField = <Value extends string>(
  label: string,
  options: readonly Value[],
  initial: Value,
): FormField<Value> => ({
  initial,
  input: ({ value, onChange }) => (
    <div className="mb-3 flex-1">
      <Select<string>
        label={label}
        value={value}
        onChange={onChange}
        options={options.map((one) => [one, one])}
      />
    </div>
  ),
});

/** The first choice is the initial one. */
export const choiceField = <Value extends string>(
  of: Readonly<Record<Value, string>>,
): FormField<Value> => ({
  initial: Object.keys(of)[0] as Value,
  input: ({ value, onChange }) => (
    <div className="mr-5 mb-3 flex gap-2">
      <Choices<string> of={of} value={value} onChange={onChange} />
    </div>
  ),
});

/** One of the texts, each with its explanation. */
export const radioField = <Value extends string>(
  label: string,
  options: Readonly<Record<Value, readonly [name: string, text: string]>>,
  initial: Value,
): FormField<Value> => ({
  initial,
  input: ({ value, onChange }) => (
    <fieldset className="mb-3 basis-full">
      <legend className="mb-1 text-fg-3 text-xs">{label}</legend>
      {(Object.keys(options) as Value[]).map((one) => (
        <label key={one} className="flex min-h-9 items-baseline gap-2.5 text-sm">
          <input
            type="radio"
            name={label}
            className="accent-brass"
            checked={one === value}
            onChange={() => onChange(one)}
          />
          <span>
            {options[one][0]} <span className="text-fg-3">{options[one][1]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  ),
});

const AMOUNT_FAULTS = {
  invalid: 'Not an amount. Write it like 1,000.50.',
  precise: 'Too many decimal places.',
  large: 'Above the largest amount.',
};

/** An amount of the asset that the other values say. */
export const amountField = (label: string, assetOf: (values: Values) => Asset): FormField => ({
  initial: '',
  input: ({ value, onChange, values }) => (
    <div className="basis-full">
      <AmountField
        label={label}
        asset={assetOf(values)}
        aside={unitOf(assetOf(values))}
        faultText={(fault) => AMOUNT_FAULTS[fault]}
        value={value}
        onChange={onChange}
      />
    </div>
  ),
});

const opened = createStore<Action | null>(null);
export const openAction = opened.set;

/** Buttons of the actions that the operator may take. A dialog stays what it was opened as, if the page changes meanwhile. */
export function Actions({ of }: { of: readonly (Action | false)[] }) {
  const may = useMay();
  return of.map((action) => {
    if (!action || !may(action.role ?? 'operator')) return null;
    const { label, look = 'plain', disabled } = action;
    return (
      <Button
        key={label}
        size="small"
        look={look}
        disabled={disabled}
        onClick={() => openAction(action)}
      >
        {label}
      </Button>
    );
  });
}

/** The dialog of the action whose button was pressed. It closes with its page. */
export function OpenAction() {
  const action = useStore(opened);
  const { pathname } = useLocation();
  useEffect(() => () => opened.set(null), [pathname]);
  return action && <ActionDialog action={action} onClose={() => opened.set(null)} />;
}

/** The input of the call with the reason, which is the text of a note. */
function inputOf({ call, ...rest }: Act, text: string) {
  return { ...rest, body: { ...rest.body, [call === 'notePlayer' ? 'note' : 'reason']: text } };
}

/** Sent instead of the reason, which the operator has not typed yet. The fingerprint omits reasons. */
const NO_REASON = '…';

/** The events that the call appends now, read again whenever the ledger changes until it is sent: another effect is refused. */
function useDryRun(act: Act | null, isSent: boolean) {
  const query = useQuery({
    queryKey: ['dryRun', act],
    queryFn: ({ signal }): Promise<DryRun> => {
      if (!act) throw new Error('a dry run has a call');
      return dryRuns.call(act.call, { ...inputOf(act, NO_REASON), signal } as never);
    },
    enabled: act !== null && !isSent,
    gcTime: 0,
    staleTime: 0,
  });
  // A refused dry run keeps the data of an earlier one.
  return { ...query, data: query.isError ? undefined : query.data };
}

const WAITING_TEXTS = {
  refreshing: 'Reading the current state…',
  past: 'The page shows a past point in time. Return to now first.',
  silent: 'The server does not respond. The action needs the current state.',
};

/** Shows the events that the action appends, made by its decider, asks for the reason, and runs the action. */
function ActionDialog({ action, onClose }: { action: Action; onClose(): void }) {
  const { label, title = label, submit = label, fields = {}, text, isDangerous = false } = action;
  const [typed, setTyped] = useState<Values>({});
  const [reason, setReason] = useState('');
  const id = useId();
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, { initial }]) => [name, typed[name] ?? initial]),
  );
  const shownText = typeof text === 'function' ? text(values) : text;
  const made = typeof action.act === 'function' ? action.act(values) : action.act;
  const job = made !== null && 'send' in made ? made : null;
  const act = made !== null && 'call' in made ? made : null;
  const waiting = useFreshState();
  const done = async (reason: string, idempotencyKey: string): Promise<unknown> => {
    if (job) return job.send(reason);
    if (!act || fingerprint === undefined) throw new Error('the action is previewed');
    return api.call(act.call, { ...inputOf(act, reason), idempotencyKey, fingerprint } as never);
  };
  const { busy, error, send } = useCommand({
    send: async (reason: string, idempotencyKey) => {
      const response = await done(reason, idempotencyKey);
      await refreshAfter();
      return response;
    },
    // One idempotency key per dialog, also when the reason is edited between attempts, so that a retry has no second effect.
    same: () => 'this dialog',
    onDone: (response) => {
      announce(response as Parameters<typeof announce>[0]);
      onClose();
    },
  });
  const run = useDryRun(act, busy);
  const fingerprint = run.data?.fingerprint;
  const isReady = job !== null || (act !== null && fingerprint !== undefined);
  return (
    <Dialog title={title} onClose={onClose} dismissible={!busy} focusesField>
      {action.facts && <div className="mb-3">{action.facts}</div>}
      {shownText && <p className="mb-3 text-fg-2 text-sm">{shownText}</p>}
      <div className="flex flex-wrap gap-x-3">
        {Object.entries(fields).map(([name, { input }]) => (
          <Fragment key={name}>
            {input({
              value: values[name] ?? '',
              values,
              onChange: (value) => setTyped({ ...typed, [name]: value }),
            })}
          </Fragment>
        ))}
      </div>
      {job ? <Recorded job={job} /> : <Appended run={run} />}
      <label htmlFor={id} className="text-fg-3 text-xs">
        {action.reasonLabel ?? 'Reason'}
      </label>
      <textarea
        id={id}
        value={reason}
        maxLength={REASON_MAX_LENGTH}
        rows={2}
        className="mt-1 block w-full rounded-sm border border-line-strong bg-ink-2 px-3 py-2 text-sm"
        onChange={(event) => setReason(event.target.value.replace(/[\n\t]/g, ' '))}
      />
      <p role="alert" className="mt-1 min-h-5 text-coral text-sm">
        {waiting !== null ? WAITING_TEXTS[waiting] : error !== null && refusalText(error)}
      </p>
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button
          look="primary"
          className={isDangerous ? 'bg-coral text-ink-0' : ''}
          disabled={busy || waiting !== null || !isReady || reason.trim() === ''}
          onClick={() => send(reason.trim())}
        >
          {busy ? 'Working…' : submit}
        </Button>
      </div>
    </Dialog>
  );
}

function announce(response: Readonly<Record<string, unknown>> | null): void {
  const { status, refusal, proposal, position = 0 } = response ?? {};
  const at = Number(position);
  if (status === 'refused') toast(`Approved, but refused: ${refusal}`, 'bad');
  else toast(at > 0 ? `Appended at #${formatInteger(at)}.` : 'Done.', 'good');
  if (status === 'waiting' || proposal) toast('It awaits approval by another operator.');
}

/**
 * Why the action cannot be submitted yet, or null. When the dialog opens, the shown reads are refetched, so that its
 * preview is made from the current state.
 */
function useFreshState(): keyof typeof WAITING_TEXTS | null {
  const [openedMs] = useState(() => Date.now());
  const [at] = useAt();
  const silence = useSilence();
  useEffect(() => void refreshLive(), []);
  const isFresh = useLiveReadSince(openedMs);
  if (at !== null) return 'past';
  if (silence) return 'silent';
  return isFresh ? null : 'refreshing';
}

function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mb-4 rounded-md border border-line bg-ink-2 px-4 py-3" data-testid="appended">
      <p className="mb-1 text-fg-3 text-xs">{title}</p>
      {children}
    </div>
  );
}

function Recorded({ job: { records, facts = {} } }: { job: Job }) {
  return (
    <Box
      title={
        records === null
          ? 'Nothing is appended to the ledger. The server logs the reason.'
          : 'This will be done and recorded:'
      }
    >
      {records !== null && <strong className="font-mono text-brass text-sm">{records}</strong>}
      <dl>{factsOf(facts)}</dl>
    </Box>
  );
}

/** The events of a dry run with their movements and changes, or why the action is refused. */
function Appended({ run }: { run: ReturnType<typeof useDryRun> }) {
  return (
    <Box title="This will be appended to the ledger:">
      {run.error !== null ? (
        <p role="alert" className="text-coral text-sm">
          {refusalText(run.error)}
        </p>
      ) : (
        (run.data?.events.map((event, order) => <Event key={order} event={event} />) ?? '—')
      )}
    </Box>
  );
}

function Event({ event }: { event: DryRun['events'][number] }) {
  const { type, stream, facts, what, data, postings } = event;
  return (
    <div className="border-line border-b py-1.5 last:border-0">
      <p className="break-all font-mono text-sm">
        <strong className="text-brass">{type}</strong>{' '}
        <span className="text-fg-3 text-xs" title={stream}>
          {shortStream(stream)}
        </span>
      </p>
      <p className="wrap-anywhere text-fg-2 text-sm">
        <EventSentence type={type} facts={facts} text={what} />
      </p>
      {postings.map(({ account, amount }, order) => (
        <p key={order} className="ledger-line" title={account}>
          <span>{shortStream(accountName(account))}</span>
          <Amount amount={amount} signed />
        </p>
      ))}
      <dl className="mt-1">
        {changesOf(data).map(({ path, before, after }) => (
          <div key={path} className={`flex flex-wrap justify-between gap-x-4 py-0.5 ${DIFF}`}>
            <dt title={path}>
              {type.startsWith('Config') ? <SettingName path={path} /> : fieldName(path.split('.'))}
            </dt>
            <dd className="wrap-anywhere text-right font-mono">
              {before === null ? (
                <span className="text-mint">{valueText(path, after) || '—'}</span>
              ) : (
                <FromTo path={path} before={before} after={after} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      <details className="text-xs">
        <summary className="min-h-6 py-1 text-fg-3">Event body</summary>
        <Code>{JSON.stringify(data, null, 2)}</Code>
      </details>
    </div>
  );
}

/** `player-<wallet>` and `player:<wallet>` with a short wallet. */
const shortStream = (text: string) =>
  text.replace(/(?<=^player[-:]).+/, (wallet) => shortAddress(wallet));

interface Changed {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** What the event states as changed: listed changes, or the differences of `before` and `after`, or the values after it. */
function changesOf(data: unknown): readonly Changed[] {
  const { changes, before, after } = data as {
    readonly changes?: readonly Changed[];
    readonly before?: unknown;
    readonly after?: unknown;
  };
  if (changes) return changes;
  const old = new Map(textsOf(before));
  return textsOf(after).flatMap(([path, value]) =>
    old.get(path) === value ? [] : [{ path, before: old.get(path) ?? null, after: value }],
  );
}

const textsOf = (value: unknown): readonly (readonly [path: string, text: string])[] =>
  leavesOf(value ?? {}).flatMap(({ path, value: leaf }) =>
    typeof leaf === 'object' && leaf !== null ? [] : [[path.join('.'), String(leaf)] as const],
  );
