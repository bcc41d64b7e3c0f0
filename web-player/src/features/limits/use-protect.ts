import type { Protection } from '@reelbook/contract/player/protection';
import { toast } from '@reelbook/web/toasts';
import { isUnconfirmed, useCommand } from '@reelbook/web/use-command';
import { useTranslation } from 'react-i18next';
import { askProtection, keepProtection } from '../../lib/protection.ts';
import { refusalText } from '../../lib/refusal-text.ts';

/** Sends one change and shows the recorded result; a refusal is shown with its reason. */
export function useProtect<Input = void>(options: {
  send(input: Input): Promise<Protection>;
  /** Text shown after success. */
  done: string | ((known: Protection) => string);
  /** The kind of the notification of the change. */
  topic?: string;
  onDone?(): void;
}) {
  const { t } = useTranslation();
  return useCommand({
    send: options.send,
    onDone: (known) => {
      keepProtection(known);
      const { done } = options;
      toast(typeof done === 'string' ? done : done(known), 'good', undefined, options.topic);
      options.onDone?.();
    },
    onFailed: (error) => {
      if (!isUnconfirmed(error)) return toast(refusalText(error), 'bad');
      toast(t('limits.unknown'), 'bad');
      askProtection();
    },
  });
}
