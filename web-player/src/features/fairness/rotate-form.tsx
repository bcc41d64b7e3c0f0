import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isBroken, randomClientSeed } from '../../lib/own-seed.ts';
import { CLIENT_SEED_MAX_LENGTH, isClientSeed, rotateSeeds } from '../../lib/seeds.ts';

/** Reveals the active seed and begins the next one with a client seed of the player's own. */
export function RotateForm() {
  const { t } = useTranslation();
  const [clientSeed, setClientSeed] = useState(randomClientSeed);
  const [busy, setBusy] = useState(false);
  const isValid = isClientSeed(clientSeed);

  async function rotate(): Promise<void> {
    setBusy(true);
    try {
      await rotateSeeds(clientSeed);
      setClientSeed(randomClientSeed());
      toast(t('fairness.rotated'), 'good');
    } catch (error) {
      toast(t(isBroken(error) ? 'ownSeed.broken' : 'proof.rotateFailed'), 'bad');
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      className="my-4 rounded-lg border border-line bg-ink-1 px-5 py-4 lg:my-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid && !busy) void rotate();
      }}
    >
      <h2 className="text-lg">{t('fairness.rotateTitle')}</h2>
      <p className="mb-3 text-fg-2 text-sm">{t('fairness.rotateText')}</p>
      <div className="grid items-end gap-3 md:grid-cols-[1fr_auto_auto]">
        <Field
          label={t('fairness.ownSeed')}
          value={clientSeed}
          maxLength={CLIENT_SEED_MAX_LENGTH}
          onChange={setClientSeed}
          error={isValid ? null : t('fairness.badClientSeed')}
        />
        <Button onClick={() => setClientSeed(randomClientSeed())}>{t('fairness.random')}</Button>
        <Button look="primary" type="submit" disabled={!isValid || busy}>
          {t(busy ? 'proof.revealing' : 'fairness.rotate')}
        </Button>
      </div>
    </form>
  );
}
