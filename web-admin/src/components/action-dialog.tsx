import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useSilence } from '../lib/contact.ts';
import { refreshAll, refreshLive, useLiveReadSince } from '../lib/queries.ts';
import { useTexts } from '../lib/texts.ts';
import { Refusal } from './refusal.tsx';

const REASON_MAX = 200;

/** The events that the action appends. */
export interface Preview {
  /** Null for an action that appends no event. */
  readonly type: string | null;
  readonly stream: string;
  /** Fields of the event. */
  readonly facts: readonly (readonly [string, ReactNode])[];
  /** Empty or missing if no balance changes. */
  readonly postings?: readonly (readonly [string, ReactNode])[];
}

interface Props {
  title: string;
  preview: Preview;
  /** Shown above the preview: a warning, form fields. */
  children?: ReactNode;
  action: string;
  /** Label of the text field, by default "Reason". */
  reasonLabel?: string;
  isDangerous?: boolean;
  isReady?: boolean;
  /** Runs the action. The key stays the same for all attempts, so that a retry has no second effect. */
  onSubmit(command: {
    reason: string;
    idempotencyKey: string;
  }): Promise<{ position?: number } | unknown>;
  onClose(): void;
}

/** Shows the events to be appended, asks for the reason, and runs the action. */
export function ActionDialog(props: Props) {
  const { title, preview, children, action, isDangerous = false, isReady = true, onClose } = props;
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const { busy, error, send } = useSubmit(props);
  const waiting = useFreshState();
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose} dismissible={!busy}>
      {children}
      <Appended preview={preview} />
      <label htmlFor={id} className="text-fg-3 text-xs">
        {props.reasonLabel ?? t('action.reason')}
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
        {waiting !== null ? t(`action.${waiting}`) : error !== null && <Refusal error={error} />}
      </p>
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          look="primary"
          className={isDangerous ? 'bg-coral text-ink-0' : ''}
          disabled={busy || waiting !== null || !isReady || reason.trim() === ''}
          onClick={() => send(reason)}
        >
          {busy ? t('action.busy') : action}
        </Button>
      </div>
    </Dialog>
  );
}

function Appended({ preview }: { preview: Preview }) {
  const { t } = useTexts();
  const { type, stream, facts, postings = [] } = preview;
  return (
    <div className="mb-4 rounded-md border border-line bg-ink-2 px-4 py-3" data-testid="appended">
      <p className="mb-1 text-fg-3 text-xs">
        {t(type === null ? 'action.willDo' : 'action.willAppend')}
      </p>
      <p className="break-all font-mono text-sm">
        {type !== null && <strong className="text-brass">{type}</strong>}{' '}
        <span className="text-fg-3 text-xs">{stream}</span>
      </p>
      <dl className="mt-1.5">
        {facts.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-4 py-0.5 text-sm">
            <dt className="shrink-0 text-fg-2">{label}</dt>
            <dd className="min-w-0 wrap-anywhere text-right font-mono text-xs leading-5">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {postings.length > 0 && (
        <div className="mt-2 border-line border-t pt-2">
          {postings.map(([account, amount]) => (
            <p key={account} className="ledger-line">
              <span className="font-mono text-xs">{account}</span>
              {amount}
            </p>
          ))}
        </div>
      )}
    </div>
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
function useSubmit({ onSubmit, onClose }: Props) {
  const { t } = useTexts();
  return useCommand({
    send: (reason: string, idempotencyKey) => onSubmit({ reason: reason.trim(), idempotencyKey }),
    same: () => 'this dialog',
    onDone: (response) => {
      void refreshAll();
      const position = positionOf(response);
      toast(position === null ? t('action.done') : t('action.appended', { position }), 'good');
      onClose();
    },
  });
}

function positionOf(response: unknown): number | null {
  const has = typeof response === 'object' && response !== null && 'position' in response;
  return has && typeof response.position === 'number' ? response.position : null;
}
