import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useSilence } from '../lib/contact.ts';
import { refreshAll, refreshLive, useLiveReadSince } from '../lib/queries.ts';
import { refusalText } from '../lib/refusal-text.ts';
import { type Act, Appended, sendAct, useDryRun } from './dry-run.tsx';
import { Fact } from './panel.tsx';

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
  /** The event that records the work; null if none does. */
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
        <p className="mb-1 text-fg-3 text-xs">This will be done and recorded:</p>
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
function useFreshState(): 'refreshing' | 'silent' | null {
  const [openedMs] = useState(() => Date.now());
  const silence = useSilence();
  useEffect(() => void refreshLive(), []);
  const isFresh = useLiveReadSince(openedMs);
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
