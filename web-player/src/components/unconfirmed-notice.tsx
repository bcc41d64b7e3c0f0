import { Button } from '@reelbook/web/components/button';
import { clockTime } from '@reelbook/web/format';
import { useCommand } from '@reelbook/web/use-command';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { clockLag } from '../lib/server-clock.ts';
import type { Checked } from '../lib/unconfirmed.ts';

/** The button that plays, which gets the focus when the notice that has it goes. */
export const PLAY_BUTTON = { 'data-play': true } as const;

/** A command without a response: its state, and a button that discards it. A signed deposit cannot be discarded. */
export function UnconfirmedNotice(props: {
  kind: 'bet' | 'deposit' | 'exchange' | 'withdrawal';
  /** The amount, as a text. */
  amount: string;
  /** When it was sent, by the clock of this device. */
  atMs: number;
  checked: Checked;
  /** Resolves when the command is executed or discarded; rejects when that is unknown. */
  onDiscard?(): Promise<void>;
}) {
  const { kind, amount, atMs, checked, onDiscard } = props;
  const { t } = useTranslation();
  const { busy, error, send } = useCommand({ send: async () => onDiscard?.() });
  const isDeposit = kind === 'deposit';
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = notice.current;
    // On a phone the pressed button is a screen below.
    shown?.scrollIntoView({ block: 'nearest' });
    return () => {
      if (!shown?.contains(document.activeElement)) return;
      document.querySelector<HTMLElement>('[data-play]')?.focus();
    };
  }, []);
  const time = clockTime(new Date(atMs + clockLag.get()).toISOString());
  return (
    <div ref={notice} className="warning flex-1" role="alert">
      <p>
        {t(`unconfirmed.${kind}`, { amount, time })}{' '}
        {t(isDeposit && checked === 'none' ? 'unconfirmed.notFinal' : `unconfirmed.${checked}`)}
        <span className="block text-fg-2">
          {isDeposit
            ? t('unconfirmed.depositHint')
            : t(error === null ? 'unconfirmed.hint' : 'unconfirmed.discardFailed')}
        </span>
      </p>
      {onDiscard && (
        <Button size="small" aria-disabled={busy} onClick={() => send()}>
          {t('unconfirmed.discard')}
        </Button>
      )}
    </div>
  );
}
