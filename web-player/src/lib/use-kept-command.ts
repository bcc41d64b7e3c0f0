import type { CommandOutcome } from '@reelbook/contract/player/profile';
import { isUnconfirmed } from '@reelbook/web/api-errors';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { PendingCommand, PendingCommands } from './pending-commands.ts';
import { type Checked, discardCommand, followCommand } from './unconfirmed.ts';

/** `unconfirmed`: may have been executed; the ledger is queried, and nothing else is sent. */
export type KeptState<Body> =
  | { readonly phase: 'idle' | 'sending' }
  | {
      readonly phase: 'unconfirmed';
      readonly pending: PendingCommand & Body;
      readonly checked: Checked;
    };

interface Options<Body, Result> {
  readonly wallet: string;
  readonly pending: PendingCommands<Body>;
  /** Called before the command is stored and sent; what it throws is a refusal. */
  prepare?(): Promise<void>;
  send(body: Body, idempotencyKey: string): Promise<Result>;
  onDone(result: Result, body: Body): void;
  /** Called for a refusal, after which nothing was executed. */
  onRefused(error: unknown): void;
  /** Called when the ledger never had it, and never will. */
  onDiscarded(body: Body): void;
}

/**
 * Sends commands that move money, each once. One without a clear response is queried, also after a reload, until it is
 * executed or discarded; until then no other is sent.
 */
export function useKeptCommand<Body, Result>(options: Options<Body, Result>) {
  type Pending = PendingCommand & Body;
  const { wallet, pending } = options;
  const [state, setState] = useState<KeptState<Body>>({ phase: 'idle' });
  const latest = useRef(options);
  latest.current = options;
  /** The command that runs or is queried; null between commands. */
  const visit = useRef<{ left: AbortController; running: Pending | 'preparing' | null } | null>(
    null,
  );

  const end = useCallback(
    (one: Pending, show: () => void) => {
      const now = visit.current;
      if (now && keyOf(now.running) === one.key) {
        now.running = null;
        setState({ phase: 'idle' });
      }
      // Shown once, also if a query and the response both arrive.
      if (pending.finish(one)) show();
    },
    [pending],
  );

  const conclude = useCallback(
    (one: Pending, { status, result }: CommandOutcome) =>
      end(one, () => {
        if (status === 'done') latest.current.onDone(result as Result, one);
        else latest.current.onDiscarded(one);
      }),
    [end],
  );

  const check = useCallback(
    async (one: Pending) => {
      const now = visit.current;
      if (!now || now.left.signal.aborted) return;
      now.running = one;
      const { signal } = now.left;
      const onChecked = (checked: Checked) => {
        if (keyOf(now.running) === one.key)
          setState({ phase: 'unconfirmed', pending: one, checked });
      };
      onChecked('checking');
      try {
        conclude(one, await followCommand(one, { signal, onChecked }));
      } catch {
        // A refused query, such as of an ended session, is no refusal of the command, which stays stored.
        if (!signal.aborted) onChecked('offline');
      }
    },
    [conclude],
  );

  useEffect(() => {
    const left = new AbortController();
    visit.current = { left, running: null };
    const unfinished = pending.find(wallet);
    if (unfinished) void check(unfinished);
    return () => left.abort();
  }, [pending, wallet, check]);

  return {
    state,
    async send(body: Body): Promise<void> {
      const now = visit.current;
      if (!now || now.left.signal.aborted || now.running) return;
      now.running = 'preparing';
      setState({ phase: 'sending' });
      try {
        await latest.current.prepare?.();
      } catch (error) {
        now.running = null;
        setState({ phase: 'idle' });
        return latest.current.onRefused(error);
      }
      // The page was left: the next request would act for the player who is signed in now.
      if (now.left.signal.aborted) return;
      // Of another tab.
      const unfinished = pending.find(wallet);
      if (unfinished) return check(unfinished);
      const one = pending.begin(wallet, body);
      now.running = one;
      try {
        const result = await latest.current.send(body, one.key);
        end(one, () => latest.current.onDone(result, one));
      } catch (error) {
        if (isUnconfirmed(error)) return check(one);
        end(one, () => latest.current.onRefused(error));
      }
    },
    /** Rejects when the server does not respond: then the query continues. */
    async discard(): Promise<void> {
      const one = visit.current?.running;
      if (one && one !== 'preparing') conclude(one, await discardCommand(one.key));
    },
  };
}

const keyOf = (running: PendingCommand | 'preparing' | null | undefined) =>
  typeof running === 'object' ? running?.key : undefined;
