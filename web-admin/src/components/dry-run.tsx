import type { ActionName, DryRun, DryRunRoutes } from '@reelbook/contract/admin/dry-run';
import type { Input } from '@reelbook/contract/client';
import { shortAddress } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { decimalText, unitOf } from '../lib/amounts.ts';
import { api, dryRuns } from '../lib/api.ts';
import { refusalText } from '../lib/refusal-text.ts';
import { Amount } from './chips.tsx';
import { EventSentence } from './sentence.tsx';
import { SettingName } from './setting-name.tsx';

type Typed = 'reason' | 'note';

/** An action without the text that the dialog asks for. */
export type Act = {
  [Name in ActionName]: { readonly call: Name } & Omit<
    Input<DryRunRoutes[Name]>,
    'body' | 'idempotencyKey' | 'fingerprint' | 'signal'
  > &
    BodyOf<Input<DryRunRoutes[Name]>['body']>;
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
export function useDryRun(act: Act | null) {
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

export function sendAct(
  act: Act,
  sent: { reason: string; idempotencyKey: string; fingerprint: string },
): Promise<unknown> {
  const { reason, ...rest } = sent;
  return api.call(act.call, { ...inputOf(act, reason), ...rest } as never);
}

/** The events of a dry run with their movements and changes, or why the action is refused. */
export function Appended({ run }: { run: ReturnType<typeof useDryRun> }) {
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
                  <span className="diff-out">{textOf(path, before)}</span> →{' '}
                </Fragment>
              )}
              <span className="diff-in">{textOf(path, after)}</span>
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

function textOf(path: string, value: string): string {
  if (!path.endsWith('Minor') || !/^-?\d+$/.test(value)) return value || '—';
  const asset = /tokenMinor$/i.test(path) ? 'token' : 'points';
  return `${decimalText(asset, BigInt(value))} ${unitOf(asset)}`;
}
