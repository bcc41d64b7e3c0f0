import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import { isBroken } from '../lib/own-seed.ts';
import { refusalText } from '../lib/refusal-text.ts';
import { rotateSeeds } from '../lib/seeds.ts';

/** Rotates the seeds, to the given client seed or to a random one of this browser. */
export function useRotate(onDone?: () => void) {
  const { t } = useTranslation();
  return useCommand<void, string | null>({
    send: rotateSeeds,
    onDone: () => onDone?.(),
    onFailed: (error) => {
      const why = isBroken(error) ? t('ownSeed.broken') : refusalText(error, t);
      toast(why || t('proof.rotateFailed'), 'bad');
    },
  });
}
