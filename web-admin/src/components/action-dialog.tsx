import type { DryRun } from '@reelbook/admin/answers';
import type { ActionName, AdminRoutes } from '@reelbook/contract/admin/routes';
import type { Input } from '@reelbook/contract/client';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { shortAddress } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react';
import { decimalText, unitOf } from '../lib/amounts.ts';
import { api, dryRuns } from '../lib/api.ts';
import { useSilence } from '../lib/contact.ts';
import { useAt } from '../lib/point-in-time.ts';
import { refreshAll, refreshLive, useLiveReadSince } from '../lib/queries.ts';
import { refusalText } from '../lib/refusal-text.ts';
import { Amount, SettingName } from './chips.tsx';
import { Fact } from './panel.tsx';
import { EventSentence } from './sentence.tsx';

type Typed = 'reason' | 'note';

/** An action without the text that the dialog asks for. */
export type Act = {
  [Name in ActionName]: { readonly call: Name } & Omit<
    Input<AdminRoutes[Name]>,
    'body' | 'idempotencyKey' | 'fingerprint' | 'signal'
  > &
    BodyOf<Input<AdminRoutes[Name]>['body']>;
}[ActionName];

type BodyOf<Body> = keyof Body extends Typed
  ? { readonly body?: undefined }
  : { readonly body: Omit<NonNullable<Body>, Typed> };

/** The input of the call with the reason, which is the text of a note. */
function inputOf({ call, ...rest }: Act, text: string) {
  return { ...rest, body: { ...rest.body, [call === 'notePlayer' ? 'note' : 'reason']: text } };
}

/** Sent instead of the reason, which the operator has not typed yet. The fingerprint omits reasons. */
const NO_REASON = '…';

/** The events that the action appends now. They are read again whenever the ledger changes. */
function useDryRun(act: Act | null) {
  const query = useQuery({
    queryKey: ['dryRun', act],
    queryFn: ({ signal }): Promise<DryRun> => {
      if (!act) throw new Error('a dry run has an action');
      return dryRuns.call(act.call, { ...inputOf(act, NO_REASON), signal } as never);
    },
    enabled: act !== null,
    gcTime: 0,
    staleTime: 0,
  });
  // A refused dry run keeps the data of an earlier one.
  return { ...query, data: query.isError ? undefined : query.data };
}

function sendAct(
  act: Act,
  sent: { reason: string; idempotencyKey: string; fingerprint: string },
): Promise<unknown> {
  const { reason, ...rest } = sent;
  return api.call(act.call, { ...inputOf(act, reason), ...rest } as never);
}

/** The events of a dry run with their movements and changes, or why the action is refused. */
function Appended({ run }: { run: ReturnType<typeof useDryRun> }) {
  return (
    <div className="mb-4 rounded-md border border-line bg-ink-2 px-4 py-3" data-testid="appended">
      <p className="mb-1 text-fg-3 text-xs">This will be appended to the ledger:</p>
      {run.error !== null ? (
        <p role="alert" className="text-coral text-sm">
          {refusalText(run.error)}
        </p>
      ) : (
        (run.data?.events.map((event, order) => <Event key={order} event={event} />) ?? '—')
      )}
    </div>
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
          <span className="font-mono text-xs">{shortStream(account)}</span>
          <Amount amount={amount} signed />
        </p>
      ))}
      <dl className="mt-1">
        {changesOf(data).map(({ path, before, after }) => (
          <div key={path} className="diff flex flex-wrap justify-between gap-x-4 py-0.5 text-xs">
            <dt>{type.startsWith('Config') ? <SettingName path={path} /> : path}</dt>
            <dd className="wrap-anywhere text-right font-mono">
              {before !== null && (
                <Fragment>
                  <span className="diff-out">{dryRunText(path, before)}</span> →{' '}
                </Fragment>
              )}
              <span className="diff-in">{dryRunText(path, after)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <details className="text-xs">
        <summary className="min-h-6 py-1 text-fg-3">Event body</summary>
        <pre className="code">{JSON.stringify(data, null, 2)}</pre>
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
  const old = new Map(leavesOf(before, ''));
  return leavesOf(after, '').flatMap(([path, value]) =>
    old.get(path) === value ? [] : [{ path, before: old.get(path) ?? null, after: value }],
  );
}

function leavesOf(value: unknown, path: string): (readonly [string, string])[] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object') return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

function dryRunText(path: string, value: string): string {
  if (!path.endsWith('Minor') || !/^-?\d+$/.test(value)) return value || '—';
  const asset = /tokenMinor$/i.test(path) ? 'token' : 'points';
  return `${decimalText(asset, BigInt(value))} ${unitOf(asset)}`;
}

const REASON_MAX = 200;

interface Common {
  title: string;
  /** Shown above the preview: a warning, form fields. */
  children?: ReactNode;
  action: string;
  /** Label of the text field, by default "Reason". */
  reasonLabel?: string;
  isDangerous?: boolean;
  onClose(): void;
}

interface ActProps extends Common {
  /** The action; null while its fields are not complete. */
  act: Act | null;
}

/** Work in the background, which the ledger records when it runs. */
interface JobProps extends Common {
  /** The event that records the work; null if it only reads. */
  records: string | null;
  facts: readonly (readonly [string, ReactNode])[];
  onSubmit(reason: string): Promise<unknown>;
}

/** Shows the events that the action appends, made by its decider, asks for the reason, and runs the action. */
export function ActionDialog({ act, ...props }: ActProps) {
  const run = useDryRun(act);
  const fingerprint = run.data?.fingerprint;
  return (
    <ReasonDialog
      {...props}
      isReady={act !== null && fingerprint !== undefined && !run.isFetching}
      onSubmit={(sent) => {
        if (!act || fingerprint === undefined) throw new Error('the action is previewed');
        return sendAct(act, { ...sent, fingerprint });
      }}
      onFailed={() => void run.refetch()}
    >
      {props.children}
      <Appended run={run} />
    </ReasonDialog>
  );
}

/** Asks for the reason of work in the background. */
export function JobDialog({ records, facts, onSubmit, ...props }: JobProps) {
  return (
    <ReasonDialog {...props} isReady onSubmit={({ reason }) => onSubmit(reason)}>
      {props.children}
      <div className="mb-4 rounded-md border border-line bg-ink-2 px-4 py-3" data-testid="appended">
        <p className="mb-1 text-fg-3 text-xs">
          {records === null
            ? 'Nothing is appended to the ledger. The server logs the reason.'
            : 'This will be done and recorded:'}
        </p>
        {records !== null && <strong className="font-mono text-brass text-sm">{records}</strong>}
        <dl>
          {facts.map(([label, value]) => (
            <Fact key={label} label={label}>
              {value}
            </Fact>
          ))}
        </dl>
      </div>
    </ReasonDialog>
  );
}

interface Props extends Common {
  isReady: boolean;
  /** Runs the action. The key stays the same for all attempts, so that a retry has no second effect. */
  onSubmit(sent: { reason: string; idempotencyKey: string }): Promise<unknown>;
  onFailed?(): void;
}

const WAITING_TEXTS = {
  refreshing: 'Reading the current state…',
  past: 'The page shows a past point in time. Return to now first.',
  silent: 'The server does not respond. The action needs the current state.',
};

function ReasonDialog(props: Props) {
  const { title, children, action, isDangerous = false, isReady, onClose } = props;
  const [reason, setReason] = useState('');
  const { busy, error, send } = useSubmit(props);
  const waiting = useFreshState();
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose} dismissible={!busy} focusesField>
      {children}
      <label htmlFor={id} className="text-fg-3 text-xs">
        {props.reasonLabel ?? 'Reason'}
      </label>
      <textarea
        id={id}
        value={reason}
        maxLength={REASON_MAX}
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
          onClick={() => send(reason)}
        >
          {busy ? 'Working…' : action}
        </Button>
      </div>
    </Dialog>
  );
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

/** One idempotency key per dialog, also when the reason is edited between attempts. */
function useSubmit({ onSubmit, onClose, onFailed }: Props) {
  return useCommand({
    send: (reason: string, idempotencyKey) => onSubmit({ reason: reason.trim(), idempotencyKey }),
    same: () => 'this dialog',
    onFailed: () => onFailed?.(),
    onDone: (response) => {
      void refreshAll();
      const position = positionOf(response);
      toast(position === null ? 'Done.' : `Appended at #${position}.`, 'good');
      if (isWaiting(response)) toast('It awaits approval by another operator.');
      onClose();
    },
  });
}

function positionOf(response: unknown): number | null {
  const has = typeof response === 'object' && response !== null && 'position' in response;
  return has && typeof response.position === 'number' ? response.position : null;
}

/** Whether the action waits for a second operator. */
function isWaiting(response: unknown): boolean {
  const has = typeof response === 'object' && response !== null && 'status' in response;
  return has && response.status === 'waiting';
}
