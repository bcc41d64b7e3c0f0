import { ApiError } from '@reelbook/contract/client';
import type { GameResult, OpenRound, StartResult } from '@reelbook/contract/player/games';
import type { CommandOutcome } from '@reelbook/contract/player/profile';
import type { Tick, TimedPage } from '@reelbook/games/face';
import { randomKey } from '@reelbook/web/storage';
import { toast } from '@reelbook/web/toasts';
import { isTransient, isUnconfirmed } from '@reelbook/web/use-command';
import i18next from 'i18next';
import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { balances } from '../../lib/balances-store.ts';
import { NoOwnSeed, type SeedFault } from '../../lib/own-seed.ts';
import type { PendingCommand, Stake } from '../../lib/pending-commands.ts';
import { askIfProtected } from '../../lib/protection.ts';
import { PLAYER_DATA, queryClient } from '../../lib/queries.ts';
import { ensureOwnSeed } from '../../lib/seeds.ts';
import {
  askUntilKnown,
  type Checked,
  discardCommand,
  followCommand,
} from '../../lib/unconfirmed.ts';

/** How often a result without a response, or sent too early, is sent again, and the delay. */
const SEND_MAX = 6;
const SEND_AGAIN_MS = 1_000;

/** What the rules refuse is not to be tried again. */
export const isRefused = (error: unknown) =>
  error instanceof ApiError && error.data?.error !== undefined && !isTransient(error);

/** The fee of a start, with its key and time. */
type StakeSent = Stake & Omit<PendingCommand, 'wallet'>;

export type TimedGame = TimedPage & {
  readonly id: string;
  /** The picture of its card in the hall. */
  readonly Picture?: ComponentType | undefined;
};

export interface Running {
  readonly roundId: string;
  readonly rules: string;
  readonly ticks: readonly Tick[];
  readonly tickMs: number;
  /** Start time by `performance.now()`. */
  readonly beganMs: number;
}

/**
 * `loading`: checks for an open round. `idle`: none is open. `unconfirmed`: one may have started; the ledger is queried.
 * `running`: drawn tick by tick. `ending`: the result is being submitted. `stuck`: the submission failed and can be
 * repeated; after a refusal, such as of a voided round, it is `idle`. `over`: settled.
 */
export type RunningState =
  | { readonly phase: 'loading' | 'idle' | 'starting' }
  | { readonly phase: 'unconfirmed'; readonly stake: StakeSent; readonly checked: Checked }
  | { readonly phase: 'running' | 'ending' | 'stuck'; readonly running: Running }
  | {
      readonly phase: 'over';
      readonly rules: string;
      readonly last: Tick;
      readonly result: GameResult;
    };

/** Text key. */
export type RoundFault =
  | `mini.fault.${'insufficient' | 'start' | 'submit'}`
  | `ownSeed.${SeedFault}`;

/** Rounds of one player in one game: started or found open, drawn to the end, settled once. */
export function useTimedRound(
  { id: game, simulate, report }: TimedGame,
  onFault: (fault: RoundFault, refusal: ApiError | null) => void,
) {
  const [state, setState] = useState<RunningState>({ phase: 'loading' });
  const here = useRef(true);
  const fault = useRef(onFault);
  fault.current = onFault;

  const begin = useCallback(
    (round: StartResult | OpenRound) => {
      const elapsedMs = 'elapsed_ms' in round ? round.elapsed_ms : 0;
      const running: Running = {
        roundId: round.round_id,
        rules: round.rules,
        ticks: simulate(round.round_seed, round.rules),
        tickMs: round.tick_ms,
        beganMs: performance.now() - elapsedMs,
      };
      if (here.current) setState({ phase: 'running', running });
    },
    [simulate],
  );

  const findOpenRound = useCallback(async (): Promise<boolean> => {
    const { round } = await api.call('gameRound', { params: { game } });
    if (round) begin(round);
    return round !== null;
  }, [game, begin]);

  useEffect(() => {
    here.current = true;
    void findOpenRound()
      .catch(() => false)
      .then((found) => !found && here.current && setState({ phase: 'idle' }));
    return () => {
      here.current = false;
    };
  }, [findOpenRound]);

  const refuse = useCallback(
    async (error: unknown) => {
      // The refusal may mean an open round: resume it.
      if (await findOpenRound().catch(() => false)) return;
      askIfProtected(error);
      if (here.current) setState({ phase: 'idle' });
      if (error instanceof NoOwnSeed) return fault.current(`ownSeed.${error.fault}`, null);
      const refusal = error instanceof ApiError ? error : null;
      const isShort = refusal?.data?.error === 'insufficient-points';
      if (isShort) fault.current('mini.fault.insufficient', null);
      else fault.current('mini.fault.start', refusal);
    },
    [findOpenRound],
  );

  const { check, discard } = useUnconfirmed(setState, findOpenRound);

  const start = useCallback(
    async (fee: number) => {
      setState({ phase: 'starting' });
      const stake: StakeSent = { key: randomKey(), bet: fee, atMs: Date.now() };
      try {
        await ensureOwnSeed();
        // The page was left, or belongs to another player, whom the next request would charge.
        if (!here.current) return;
        const input = { params: { game }, body: { bet_amount: fee }, idempotencyKey: stake.key };
        const round = await api.call('gameStart', input);
        balances.accept(round);
        begin(round);
      } catch (error) {
        if (here.current) await (isLost(error) ? check(stake) : refuse(error));
      }
    },
    [game, begin, check, refuse],
  );

  const end = useCallback(
    async (running: Running) => {
      const last = running.ticks.at(-1);
      if (!last) return;
      setState({ phase: 'ending', running });
      try {
        const result = await send(game, report(last), running.roundId, here);
        balances.accept(result);
        if (here.current) setState({ phase: 'over', rules: running.rules, last, result });
      } catch (error) {
        if (!here.current) return;
        setState(isFinal(error) ? { phase: 'idle' } : { phase: 'stuck', running });
        fault.current('mini.fault.submit', error instanceof ApiError ? error : null);
      } finally {
        void queryClient.invalidateQueries({ queryKey: [PLAYER_DATA] });
      }
    },
    [game, report],
  );

  return { state, start: (fee: number) => void start(fee), discard, end };
}

const isLost = (error: unknown) => !(error instanceof NoOwnSeed) && isUnconfirmed(error);

interface Unconfirmed {
  readonly stop: AbortController;
  readonly stake: StakeSent;
  onChecked(checked: Checked): void;
}

/** Queries a start without a response, until the ledger has it or the player discards it. */
function useUnconfirmed(
  setState: (state: RunningState) => void,
  findOpenRound: () => Promise<boolean>,
) {
  const asking = useRef<Unconfirmed | null>(null);

  useEffect(() => () => asking.current?.stop.abort(), []);

  const conclude = useCallback(
    async ({ stop, stake, onChecked }: Unconfirmed, { status }: CommandOutcome) => {
      const find = async () => ({ found: status === 'done' && (await findOpenRound()) });
      const { found } = await askUntilKnown(find, { signal: stop.signal, onChecked }, () => true);
      stop.abort();
      asking.current = null;
      if (found) return;
      setState({ phase: 'idle' });
      if (status === 'discarded') toast(i18next.t('unconfirmed.discarded', { bet: stake.bet }));
    },
    [setState, findOpenRound],
  );

  const check = useCallback(
    async (stake: StakeSent) => {
      const stop = new AbortController();
      const onChecked = (checked: Checked) => setState({ phase: 'unconfirmed', stake, checked });
      const now = { stop, stake, onChecked };
      asking.current = now;
      onChecked('checking');
      try {
        await conclude(now, await followCommand(stake, { signal: stop.signal, onChecked }));
      } catch (error) {
        if (!stop.signal.aborted) throw error;
      }
    },
    [setState, conclude],
  );

  const discard = useCallback(async () => {
    const now = asking.current;
    if (now) await conclude(now, await discardCommand(now.stake.key));
  }, [conclude]);

  return { check, discard };
}

/** Under the round's key, so that repeated submissions settle it once. Another player would play a round by it. */
async function send(
  game: string,
  body: Readonly<Record<string, number | boolean>>,
  roundId: string,
  here: { readonly current: boolean },
): Promise<GameResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.call('gamePlay', { params: { game }, body, idempotencyKey: roundId });
    } catch (error) {
      const mayHelp = isTransient(error) || isTooSoon(error);
      if (!mayHelp || attempt === SEND_MAX) throw error;
      await new Promise((wake) => setTimeout(wake, SEND_AGAIN_MS));
      if (!here.current) throw error;
    }
  }
}

const isFinal = (error: unknown) => isRefused(error) && !isTooSoon(error);

function isTooSoon(error: unknown): boolean {
  return error instanceof ApiError && error.data?.error === 'round-too-soon';
}
