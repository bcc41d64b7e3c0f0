import type { CommandOutcome } from '@reelbook/contract/player/profile';
import { toast } from '@reelbook/web/toasts';
import { isUnconfirmed } from '@reelbook/web/use-command';
import i18next from 'i18next';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { PendingCommand, PendingCommands } from './pending-commands.ts';
import { type Checked, discardCommand, followCommand } from './unconfirmed.ts';

type Kept<Body> = PendingCommand & Body;

/** `unconfirmed`: may have been executed; the ledger is queried, and nothing else is sent. */
export type KeptState<Body> =
  | { readonly phase: 'idle' | 'sending' }
  | {
      readonly phase: 'unconfirmed';
      readonly pending: Kept<Body>;
      readonly checked: Checked;
    };

interface Options<Draft, Body, Result> {
  readonly wallet: string;
  readonly pending: PendingCommands<Body>;
  /** Returns what is stored and sent; what it throws is a refusal. */
  prepare(draft: Draft): Promise<Body>;
  send(body: Body, idempotencyKey: string): Promise<Result>;
  /** Default: not a refusal of the API. */
  isUnconfirmed?(error: unknown): boolean;
  /** Default: by the idempotency key. */
  follow?(one: Kept<Body>, asking: Asking): Promise<Outcome>;
  onDone(result: Result, body: Body): void;
  /** Called for a refusal, after which nothing was executed. */
  onRefused(error: unknown): void;
  /** Called when the ledger never had it, and never will. `why` is of `follow`. */
  onDiscarded(body: Body, why: unknown): void;
}

interface Visit<One> {
  readonly left: AbortController;
  /** The command that runs or is queried; null between commands. */
  running: One | 'preparing' | null;
}

type Asking = Parameters<typeof followCommand>[1];
type Outcome = Pick<CommandOutcome, 'status'> & { readonly result: unknown };

/**
 * Sends commands that move money, each once. One without a clear response is queried, also after a reload, until it is
 * executed or discarded; until then no other is sent.
 */
export function useKeptCommand<Draft, Body, Result>(options: Options<Draft, Body, Result>) {
  const { wallet, pending } = options;
  const [state, setState] = useState<KeptState<Body>>({ phase: 'idle' });
  const latest = useRef(options);
  latest.current = options;
  const visit = useRef<Visit<Kept<Body>> | null>(null);

  const end = useCallback(
    (one: Kept<Body>, show: () => void) => {
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
    (one: Kept<Body>, { status, result }: Outcome) =>
      end(one, () => {
        if (status === 'done') latest.current.onDone(result as Result, one);
        else latest.current.onDiscarded(one, result);
      }),
    [end],
  );

  const check = useCallback(
    async (one: Kept<Body>) => {
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
        const { follow = followCommand } = latest.current;
        conclude(one, await follow(one, { signal, onChecked }));
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
    async send(draft: Draft): Promise<void> {
      const now = visit.current;
      if (!now || now.running || hasLeft(now)) return;
      const ofOtherTab = pending.find(wallet);
      if (ofOtherTab) return check(ofOtherTab);
      now.running = 'preparing';
      setState({ phase: 'sending' });
      const body = await latest.current.prepare(draft).catch((error: unknown) => {
        now.running = null;
        setState({ phase: 'idle' });
        latest.current.onRefused(error);
        return null;
      });
      if (body === null || hasLeft(now)) return;
      const sinceThen = pending.find(wallet);
      if (sinceThen) return check(sinceThen);
      const one = pending.begin(wallet, body);
      now.running = one;
      try {
        const result = await latest.current.send(body, one.key);
        end(one, () => latest.current.onDone(result, one));
      } catch (error) {
        if ((latest.current.isUnconfirmed ?? isUnconfirmed)(error)) return check(one);
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

/** Then the next request would act for the player who is signed in now. The wallet may have been approved since. */
function hasLeft({ left }: Visit<unknown>): boolean {
  if (left.signal.aborted) toast(i18next.t('unconfirmed.left'));
  return left.signal.aborted;
}

const keyOf = (running: PendingCommand | 'preparing' | null | undefined) =>
  typeof running === 'object' ? running?.key : undefined;
