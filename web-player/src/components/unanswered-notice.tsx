import { Button } from '@reelbook/web/components/button';
import { clockTime, whole } from '@reelbook/web/format';
import { useState } from 'react';
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
  const [discarding, setDiscarding] = useState<'no' | 'yes' | 'failed'>('no');
  const time = clockTime(new Date(stake.atMs).toISOString()).slice(0, -3);
  async function discard(): Promise<void> {
    setDiscarding('yes');
    await onDiscard().catch(() => setDiscarding('failed'));
  }
  return (
    <div className="warning flex-1" role="alert">
      <p>
        {t('unanswered.text', { bet: whole(stake.bet), time })} {t(`unanswered.${checked}`)}
        <span className="block text-fg-2">
          {t(discarding === 'failed' ? 'unanswered.discardFailed' : 'unanswered.hint')}
        </span>
      </p>
      <Button size="small" disabled={discarding === 'yes'} onClick={() => void discard()}>
        {t('unanswered.discard')}
      </Button>
    </div>
  );
}
