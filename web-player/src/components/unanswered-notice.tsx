import { Button } from '@reelbook/web/components/button';
import { clockTime, formatInteger } from '@reelbook/web/format';
import { useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import type { Checked, UnansweredStake } from '../lib/unanswered.ts';

/** A stake that was not answered: what is known of it, and the way to be sure that it is never placed. */
export function UnansweredNotice(props: {
  stake: UnansweredStake;
  checked: Checked;
  /** Resolves when the ledger has it one way or the other; rejects when that is not known. */
  onDiscard(): Promise<void>;
}) {
  const { stake, checked, onDiscard } = props;
  const { t } = useTranslation();
  const { busy, error, send } = useCommand({ send: onDiscard });
  const time = clockTime(new Date(stake.atMs).toISOString()).slice(0, -3);
  return (
    <div className="warning flex-1" role="alert">
      <p>
        {t('unanswered.text', { bet: formatInteger(stake.bet), time })} {t(`unanswered.${checked}`)}
        <span className="block text-fg-2">
          {t(error === null ? 'unanswered.hint' : 'unanswered.discardFailed')}
        </span>
      </p>
      <Button size="small" disabled={busy} onClick={() => send()}>
        {t('unanswered.discard')}
      </Button>
    </div>
  );
}
