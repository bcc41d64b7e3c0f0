import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { toast } from '@reelbook/web/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRotate } from '../../components/use-rotate.ts';
import { randomClientSeed } from '../../lib/own-seed.ts';
import { CLIENT_SEED_MAX_LENGTH, isClientSeed } from '../../lib/seeds.ts';

/** Reveals the active seed and activates the next one with the player's client seed. */
export function RotateForm() {
  const { t } = useTranslation();
  const [clientSeed, setClientSeed] = useState(randomClientSeed);
  const { busy, send } = useRotate(() => {
    setClientSeed(randomClientSeed());
    toast(t('fairness.rotated'), 'good');
  });
  const isValid = isClientSeed(clientSeed);

  return (
    <form
      className="my-4 rounded-lg border border-line bg-ink-1 px-5 py-4 lg:my-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) send(clientSeed);
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
