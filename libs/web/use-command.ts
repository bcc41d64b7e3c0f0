import { ApiError } from '@reelbook/contract/client';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { randomKey } from './storage.ts';

interface Options<Input, Result> {
  send(input: Input, idempotencyKey: string): Promise<Result>;
  onDone?(result: Result, input: Input): void;
  onFailed?(error: unknown): void;
  /** Identifies an input as the same command when it is sent again; default: its JSON. */
  same?(input: Input): string;
}

/**
 * Sends commands one at a time: a second press during a command does nothing. A retry of the same command after a
 * failure keeps its idempotency key, so that a command whose response was lost is executed once.
 */
export function useCommand<Result, Input = void>(options: Options<Input, Result>) {
  const last = useRef<{ input: string | undefined; key: string } | null>(null);
  function keyOf(sent: Input): string {
    const input = options.same ? options.same(sent) : JSON.stringify(sent);
    if (last.current === null || last.current.input !== input) {
      last.current = { input, key: randomKey() };
    }
    return last.current.key;
  }
  const isSending = useRef(false);
  const { mutate, isPending, variables, error } = useMutation<Result, unknown, Input>({
    // A browser that believes itself offline still sends, and fails immediately.
    networkMode: 'always',
    mutationFn: (sent) => options.send(sent, keyOf(sent)),
    onSuccess: (result, input) => {
      last.current = null;
      options.onDone?.(result, input);
    },
    onError: (failed) => options.onFailed?.(failed),
    onSettled: () => {
      isSending.current = false;
    },
  });
  return {
    busy: isPending,
    /** The input of the running command. */
    input: isPending ? variables : undefined,
    /** The error of the last command; null during a retry. */
    error,
    send: (input: Input) => {
      if (isSending.current) return;
      isSending.current = true;
      mutate(input);
    },
  };
}

const TOO_MANY_REQUESTS = 429;
const REFUSALS_FROM = 400;
const SERVER_FAULTS_FROM = 500;

/** No response, an invalid one, or a server error: unlike a refusal, the command may have been executed. */
export function isUnconfirmed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.code < REFUSALS_FROM || error.code >= SERVER_FAULTS_FROM;
}

/** Whether a retry may help: no response, an invalid one, or a server that is temporarily unavailable. */
export function isTransient(error: unknown): boolean {
  return isUnconfirmed(error) || (error as ApiError).code === TOO_MANY_REQUESTS;
}
