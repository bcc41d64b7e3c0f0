import { useTranslation } from 'react-i18next';
import { useRotate } from './use-rotate.ts';

/** Rotates the seeds: the active one is revealed, and its rounds can be recomputed here. */
export function RevealButton() {
  const { t } = useTranslation();
  const { busy, send } = useRotate();
  return (
    <button
      type="button"
      disabled={busy}
      onClick={() => send(null)}
      // 44 px to the thumb.
      className="reveal relative min-h-7 rounded-[4px] font-semibold text-[13px] text-brass underline-offset-3 after:absolute after:-inset-x-1.5 after:-inset-y-2 hover:underline disabled:text-fg-3"
      title={t('proof.revealHint')}
    >
      {t(busy ? 'proof.revealing' : 'proof.reveal')}
    </button>
  );
}
