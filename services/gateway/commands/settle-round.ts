import type { Executed } from '@reelbook/event-store/execution';
import { commandKey } from '@reelbook/event-store/idempotency-key';
import type { Game, Report, Timed } from '@reelbook/games/game';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { BetLost, BetWon, Outcome } from '@reelbook/ledger/player/events';
import { msLeft } from '@reelbook/ledger/player/rounds';
import { openRoundOf, type PlayerState } from '@reelbook/ledger/player/state';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type { Caller, Gateway } from '../context.ts';
import { readPlacedRound, readRoundEnd } from '../reads/open-round.ts';
import { readPlayer } from '../reads/player.ts';
import { drawAgain, playTermsOf } from './stakes.ts';

/** A game with timed rounds. */
export type TimedGame = Game & { readonly timed: Timed };

export function isTimed(game: Game): game is TimedGame {
  return game.timed !== null;
}

interface Settling extends Caller {
  readonly game: TimedGame;
  readonly round: string;
  /** The player, or the gateway that sweeps abandoned rounds. */
  readonly actor: string;
  /** Figures of the page, which must match the seed. The sweep has none. */
  readonly figures?: Report;
  /** The player's idempotency key, which the settlement uses. */
  readonly key?: string | undefined;
}

/**
 * Settles an open round from its seed, once: later calls, from any gateway and with any key, return the first result.
 * Throws `Refused` if the figures differ, its ticks are not over or it was voided.
 */
export async function settleRound(
  gateway: Gateway,
  options: Settling,
): Promise<{ events: readonly PlacedEvent<LedgerEvent>[]; position: number }> {
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(options.wallet),
    idempotencyKey:
      options.key === undefined
        ? `${playerStream(options.wallet)}:settle:${options.round}`
        : commandKey(options.wallet, options.key),
    request: { command: 'settle-round', round: options.round },
    meta: { correlation: options.correlation, actor: options.actor },
    prepare: (state) => prepare(gateway, state, options),
  });
  const closed = isClosed(executed);
  const earlier = closed || isLate(executed) ? await readRoundEnd(gateway.pool, options) : null;
  if (earlier && closed) await recordLateKey(gateway, options);
  const { events, position } =
    earlier && earlier.event.type !== 'BetVoided'
      ? { events: [earlier], position: earlier.position }
      : settled(executed);
  for (const { event } of events) {
    const { game, outcome } = (event as BetWon | BetLost).data;
    if (game !== options.game.id)
      throw new Refused(reject('round-not-open', { round: options.round }));
    if (options.figures && !isReport(options.game, outcome, options.figures)) {
      throw new Refused(reject('round-differs'));
    }
  }
  return { events, position };
}

/**
 * Records the key of a command that arrived after its round was settled. Otherwise a retry after a later round could start
 * and charge a new round. A key that is the round id never starts another.
 */
async function recordLateKey(
  { executor }: Gateway,
  { wallet, round, key, correlation, actor }: Settling,
): Promise<void> {
  if (key === undefined || key === round) return;
  const executed = await executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, key),
    request: { command: 'settle-round', round },
    meta: { correlation, actor },
    prepare: async () => ({
      command: { type: 'RecordIdempotencyKey' as const, idempotencyKey: key, round },
      configVersion: null,
    }),
  });
  settled(executed);
}

/** Whether `recordLateKey` recorded this command before. */
function isLate(executed: Executed<PlayerState, LedgerEvent>): boolean {
  return executed.kind === 'done' && executed.events[0]?.event.type === 'IdempotencyKeyRecorded';
}

/** Whether the round was no longer open when this settlement was decided. */
function isClosed(executed: Executed<PlayerState, LedgerEvent>): boolean {
  if (executed.kind !== 'refused') return false;
  const { rejected } = executed.rejection;
  return rejected === 'round-not-open' || rejected === 'round-voided';
}

async function prepare(gateway: Gateway, state: PlayerState, options: Settling) {
  const { game, round } = options;
  const open = openRoundOf(state, game.id);
  if (open?.round !== round) return refuseClosed(state, options);
  const { outcome, payoutMinor } = await drawAgain(gateway, game, open);
  if (options.figures && !isReport(game, outcome, options.figures)) return reject('round-differs');
  const { elapsedMs } = await readPlacedRound(gateway.pool, options);
  const left = msLeft(open, elapsedMs);
  if (left > 0) return reject('round-too-soon', { msLeft: left });
  const { config, version: configVersion } = gateway.config.current();
  const { bigWinMultiple, bigWinMinMinor } = config;
  const play = await playTermsOf(gateway, config, state);
  const terms = { bigWinMultiple, bigWinMinMinor, play };
  const ending = { game: game.id, round, outcome, payoutMinor, elapsedMs, ...terms };
  return { command: { type: 'SettleRound' as const, ...ending }, configVersion };
}

/** The refusal for a round that is not open: settled (`settleRound` returns its end), voided or unknown. */
function refuseClosed(state: PlayerState, { game, round }: Settling): Rejection {
  const known = state.timed?.[game.id]?.round === round;
  return reject(known ? 'round-voided' : 'round-not-open', { round });
}

/** Settles the open round of a game if its ticks are over. */
export async function settleIfOver(
  gateway: Gateway,
  options: Omit<Settling, 'round' | 'figures'>,
): Promise<void> {
  const { state } = await readPlayer(gateway, options.wallet);
  const open = openRoundOf(state, options.game.id);
  if (!open) return;
  const { elapsedMs } = await readPlacedRound(gateway.pool, { ...options, round: open.round });
  if (msLeft(open, elapsedMs) === 0) await settleRound(gateway, { ...options, round: open.round });
}

/** Whether figures match an outcome exactly. */
export function isReport({ timed }: TimedGame, outcome: Outcome, figures: Report): boolean {
  const report = Object.entries(timed.reportOf(outcome));
  return (
    Object.keys(figures).length === report.length &&
    report.every(([name, value]) => figures[name] === value)
  );
}
