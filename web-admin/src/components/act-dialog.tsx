import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { type ReactNode, useId, useState } from 'react';
import { refreshAll } from '../lib/queries.ts';
import { useTexts } from '../lib/texts.ts';
import { Refusal } from './refusal.tsx';

const REASON_MAX = 200;

/** What an act will leave in the ledger; `null` for one that is no event. */
export interface Preview {
  readonly type: string | null;
  readonly stream: string;
  /** The fields of the event, as they will stand in it. */
  readonly facts: readonly (readonly [string, ReactNode])[];
  /** What moves, where anything does. */
  readonly postings?: readonly (readonly [string, ReactNode])[];
}

interface Props {
  title: string;
  preview: Preview;
  /** More to say before the reason: a warning, fields. */
  children?: ReactNode;
  action: string;
  /** What the text is asked for as, where it is not a reason. */
  reasonLabel?: string;
  isDangerous?: boolean;
  isReady?: boolean;
  /** Does it. The key is the same however often it is pressed, so a lost answer does nothing twice. */
  onAct(o: { reason: string; idempotencyKey: string }): Promise<{ position?: number } | unknown>;
  onClose(): void;
}

/** Shows exactly what will be appended, then asks why, then does it. */
export function ActDialog(props: Props) {
  const { title, preview, children, action, isDangerous = false, isReady = true, onClose } = props;
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const { busy, error, send } = useAct(props);
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose} dismissible={!busy}>
      {children}
      <Appended preview={preview} />
      <label htmlFor={id} className="text-fg-3 text-xs">
        {props.reasonLabel ?? t('act.reason')}
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
        {error !== null && <Refusal error={error} />}
      </p>
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          look="primary"
          className={isDangerous ? 'bg-coral text-ink-0' : ''}
          disabled={busy || !isReady || reason.trim() === ''}
          onClick={() => send(reason)}
        >
          {busy ? t('act.busy') : action}
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
      <p className="mb-1 text-fg-3 text-xs">{t(type === null ? 'act.willDo' : 'act.willAppend')}</p>
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

/** One key a dialog, however its reason is worded: what it was opened for is done once. */
function useAct({ onAct, onClose }: Props) {
  const { t } = useTexts();
  return useCommand({
    send: (reason: string, idempotencyKey) => onAct({ reason: reason.trim(), idempotencyKey }),
    same: () => 'this dialog',
    onDone: (done) => {
      refreshAll();
      const position = positionOf(done);
      toast(position === null ? t('act.done') : t('act.appended', { position }), 'good');
      onClose();
    },
  });
}

function positionOf(done: unknown): number | null {
  const has = typeof done === 'object' && done !== null && 'position' in done;
  return has && typeof done.position === 'number' ? done.position : null;
}
