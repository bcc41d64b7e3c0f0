import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import { isBroken } from '../lib/own-seed.ts';
import { rotateSeeds } from '../lib/seeds.ts';

/** Rotates the seeds, to the given client seed or to a random one of this browser. */
export function useRotate(onDone?: () => void) {
  const { t } = useTranslation();
  return useCommand<void, string | null>({
    send: rotateSeeds,
    onDone: () => onDone?.(),
    onFailed: (error) => toast(t(isBroken(error) ? 'ownSeed.broken' : 'proof.rotateFailed'), 'bad'),
  });
}
