import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { randomKey } from './random-key.ts';

interface Options<Input, Answer> {
  send(input: Input, idempotencyKey: string): Promise<Answer>;
  onDone?(answer: Answer, input: Input): void;
  onFailed?(error: unknown): void;
  /** What makes an input the same command when it is sent again; its JSON when not given. */
  same?(input: Input): string;
}

/**
 * The way to send a command. One at a time: a second press while it is under way does nothing. What is sent again after a
 * failure has the key of the time before, as long as it is the same command, so that one whose answer was lost is executed
 * once.
 */
export function useCommand<Answer, Input = void>(options: Options<Input, Answer>) {
  const last = useRef<{ input: string | undefined; key: string } | null>(null);
  function keyOf(sent: Input): string {
    const input = options.same ? options.same(sent) : JSON.stringify(sent);
    if (last.current === null || last.current.input !== input) {
      last.current = { input, key: randomKey() };
    }
    return last.current.key;
  }
  const isSending = useRef(false);
  const { mutate, isPending, variables, error } = useMutation<Answer, unknown, Input>({
    // A browser that takes itself for offline still asks, and fails at once.
    networkMode: 'always',
    mutationFn: (sent) => options.send(sent, keyOf(sent)),
    onSuccess: (answer, input) => {
      last.current = null;
      options.onDone?.(answer, input);
    },
    onError: (failed) => options.onFailed?.(failed),
    onSettled: () => {
      isSending.current = false;
    },
  });
  return {
    busy: isPending,
    /** What is under way. */
    input: isPending ? variables : undefined,
    /** Why the last one failed; null while it is sent again. */
    error,
    send: (input: Input) => {
      if (isSending.current) return;
      isSending.current = true;
      mutate(input);
    },
  };
}
