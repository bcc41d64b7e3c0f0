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
      className="reveal"
      title={t('proof.revealHint')}
    >
      {t(busy ? 'proof.revealing' : 'proof.reveal')}
    </button>
  );
}
