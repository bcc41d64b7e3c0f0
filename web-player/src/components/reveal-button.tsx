import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isBroken } from '../lib/own-seed.ts';
import { rotateSeeds } from '../lib/seeds.ts';

/** Rotates the seeds: the one in use is revealed, and whatever it decided can be recomputed here. */
export function RevealButton() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  async function reveal(): Promise<void> {
    setBusy(true);
    try {
      await rotateSeeds(null);
    } catch (error) {
      toast(t(isBroken(error) ? 'ownSeed.broken' : 'proof.rotateFailed'), 'bad');
    } finally {
      setBusy(false);
    }
  }
  return (
    <button
      type="button"
      disabled={busy}
      onClick={() => void reveal()}
      className="reveal"
      title={t('proof.revealHint')}
    >
      {t(busy ? 'proof.revealing' : 'proof.reveal')}
    </button>
  );
}
