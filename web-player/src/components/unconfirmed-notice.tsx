import { Button } from '@reelbook/web/components/button';
import { clockTime, formatInteger } from '@reelbook/web/format';
import { useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import type { Checked, UnconfirmedStake } from '../lib/unconfirmed.ts';

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
  const time = clockTime(new Date(stake.atMs).toISOString()).slice(0, -3);
  return (
    <div className="warning flex-1" role="alert">
      <p>
        {t('unconfirmed.text', { bet: formatInteger(stake.bet), time })}{' '}
        {t(`unconfirmed.${checked}`)}
        <span className="block text-fg-2">
          {t(error === null ? 'unconfirmed.hint' : 'unconfirmed.discardFailed')}
        </span>
      </p>
      <Button size="small" disabled={busy} onClick={() => send()}>
        {t('unconfirmed.discard')}
      </Button>
    </div>
  );
}
