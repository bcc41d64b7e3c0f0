import { Button } from '@reelbook/web/components/button';
import { clockTime, formatInteger } from '@reelbook/web/format';
import { useCommand } from '@reelbook/web/use-command';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Checked, UnconfirmedStake } from '../lib/unconfirmed.ts';

/** The button that plays, which gets the focus when the notice that has it goes. */
export const PLAY_BUTTON = { 'data-play': true } as const;

/** A bet or start without a response: its state, and a button that discards it. */
export function UnconfirmedNotice(props: {
  stake: UnconfirmedStake;
  checked: Checked;
  /** Resolves when the command is executed or discarded; rejects when that is unknown. */
  onDiscard(): Promise<void>;
}) {
  const { stake, checked, onDiscard } = props;
  const { t } = useTranslation();
  const { busy, error, send } = useCommand({ send: onDiscard });
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = notice.current;
    return () => {
      if (!shown?.contains(document.activeElement)) return;
      document.querySelector<HTMLElement>('[data-play]')?.focus();
    };
  }, []);
  const time = clockTime(new Date(stake.atMs).toISOString()).slice(0, -3);
  return (
    <div ref={notice} className="warning flex-1" role="alert">
      <p>
        {t('unconfirmed.text', { bet: formatInteger(stake.bet), time })}{' '}
        {t(`unconfirmed.${checked}`)}
        <span className="block text-fg-2">
          {t(error === null ? 'unconfirmed.hint' : 'unconfirmed.discardFailed')}
        </span>
      </p>
      <Button size="small" aria-disabled={busy} onClick={() => send()}>
        {t('unconfirmed.discard')}
      </Button>
    </div>
  );
}
