import { textOf } from '@reelbook/contract/errors';
import {
  type BetBody,
  type BetResult,
  DEFAULT_LINES,
  type GameResult,
  type OpenRoundAnswer,
  type PlayBody,
  playBodyOf,
  type StartResult,
} from '@reelbook/contract/player/games';
import {
  commandKey,
  type Executed,
  findIdempotencyKey,
  hashKey,
} from '@reelbook/event-store/execution';
import { readCommand } from '@reelbook/event-store/read-log';
import type { Game, Report, Timed } from '@reelbook/games/game';
import { Refused, settled } from '@reelbook/http/routes';
import { assert } from '@reelbook/ledger/assert';
import type { GameConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toMinor, toNumber } from '@reelbook/ledger/money';
import type { PlaceBet, StartRound } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type {
  BetLost,
  BetPlaced,
  BetWon,
  Choice,
  IdempotencyKeyRecorded,
  Outcome,
} from '@reelbook/ledger/player/events';
import { msLeft } from '@reelbook/ledger/player/rounds';
import { openRoundOf, type PlayerState } from '@reelbook/ledger/player/state';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { Compile } from 'typebox/compile';
import { betAnswer } from '../answers/player.ts';
import { gameAnswer, openRoundAnswer, startAnswer } from '../answers/rounds.ts';
import type { Caller, Gateway } from '../context.ts';
import { readPlacedRound, readRoundEnd, roundSeedFor } from '../reads/open-round.ts';
import { readPlayer } from '../reads/player.ts';
import { act, drawAgain, limitsOf, openDraw, plain, playTermsOf } from './stakes.ts';

interface Bet {
  readonly game: Game;
  readonly stakeMinor: bigint;
  readonly lines: number;
  /** Validated by `choiceProblem`; only for games with a choice. */
  readonly choice?: Choice | undefined;
  readonly key: string | undefined;
  /** The request: a different one with the same key is refused. */
  readonly request: object;
}

/** Plays a spin. The response is built only from recorded events, so that the same key returns the same response. */
export async function placeSlotBet(
  gateway: Gateway,
  options: Caller & {
    readonly game: Game;
    readonly bet: BetBody;
    readonly key: string | undefined;
  },
): Promise<{ data: BetResult; position: number }> {
  const { events, position, state } = await placeBet(gateway, {
    ...options,
    ...readBet(gateway, options),
  });
  const data = betAnswer(events, await gateway.commitments.of(events, state));
  assert(data, 'an executed bet is two events');
  return { data, position };
}

/** Parses a bet. Throws `Refused` for a stake that minor units cannot represent. */
export function readBet(
  gateway: Gateway,
  { game, bet }: { readonly game: Game; readonly bet: BetBody },
): Pick<Bet, 'stakeMinor' | 'lines' | 'request'> {
  const limits = limitsOf(gateway.config.current().config, game);
  const { bet_amount, lines = Math.min(DEFAULT_LINES, limits.maxLines) } = bet;
  const request = { command: 'place-bet', game: game.id, bet_amount, lines };
  return { stakeMinor: readStake(bet_amount, limits), lines, request };
}

/** Plays a round that settles immediately. The decider draws after its checks, so that nothing is refused after a draw. */
export async function placeBet(
  gateway: Gateway,
  { game, stakeMinor, lines, choice, key, request, ...caller }: Caller & Bet,
): Promise<{
  events: readonly PlacedEvent<LedgerEvent>[];
  position: number;
  state: PlayerState | null;
}> {
  const executed = await act(gateway, caller, {
    key,
    request,
    async prepare(state) {
      const { seeds } = state;
      if (!seeds) return reject('not-registered');
      const { pair, nonce, activeHash: serverSeedHash, clientSeed } = seeds;
      const { config, version: configVersion } = gateway.config.current();
      const limits = limitsOf(config, game);
      const { rules } = limits;
      const round = { rules, stakeMinor, lines, choice, serverSeedHash, clientSeed, nonce };
      const command: PlaceBet = {
        type: 'PlaceBet',
        game: game.id,
        stakeMinor,
        lines,
        choice,
        limits,
        rules,
        pair,
        nonce,
        draw: await openDraw(gateway, game, round),
        bigWinMultiple: config.bigWinMultiple,
        bigWinMinMinor: config.bigWinMinMinor,
        play: await playTermsOf(gateway, config, state),
      };
      return { command, configVersion };
    },
  });
  return settled(executed);
}

/** A stake in minor units. A number that they cannot represent exceeds every limit and is refused as such. */
function readStake(amount: number, { minStakeMinor, maxStakeMinor }: GameConfig): bigint {
  const stakeMinor = toMinor('points', amount);
  if (stakeMinor !== null) return stakeMinor;
  if (!Number.isInteger(amount)) throw new Refused(reject('bet-not-integer'));
  throw new Refused(
    amount > 0
      ? reject('bet-above-maximum', { maxStakeMinor })
      : reject('bet-below-minimum', { minStakeMinor }),
  );
}

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
  const end = closed || isLate(executed) ? await readRoundEnd(gateway.pool, options) : null;
  // A voided round has no result that a late key could return.
  const earlier = end?.event.type === 'BetVoided' ? null : end;
  if (earlier && closed) await recordLateKey(gateway, options);
  const { events, position } = earlier
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
async function recordLateKey(gateway: Gateway, { round, key, ...caller }: Settling): Promise<void> {
  if (key === undefined || key === round) return;
  const executed = await act(gateway, caller, {
    key,
    request: { command: 'settle-round', round },
    prepare: async () => plain({ type: 'RecordIdempotencyKey', idempotencyKey: key, round }),
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
async function settleIfOver(
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
function isReport({ timed }: TimedGame, outcome: Outcome, figures: Report): boolean {
  const report = Object.entries(timed.reportOf(outcome));
  return (
    Object.keys(figures).length === report.length &&
    report.every(([name, value]) => figures[name] === value)
  );
}

interface Playing extends Caller {
  readonly game: TimedGame;
  /** Unvalidated: each game has its own fields. */
  readonly body: unknown;
  readonly key: string | undefined;
}

/**
 * Ends a round with the figures that the page shows. If a round is open, the figures must match its seed. If it is already
 * settled, its figures return its result again. Otherwise a round is drawn and settled immediately, for clients that never
 * call start; the figures are ignored.
 */
export async function playRound(
  gateway: Gateway,
  options: Playing,
): Promise<{ data: GameResult; position: number }> {
  const { game, wallet, correlation } = options;
  const figures = readFigures(game, options.body);
  const round = await roundOf(gateway, options, figures);
  const actor = `player:${wallet}`;
  const { events, position } = round
    ? await settleRound(gateway, {
        wallet,
        correlation,
        actor,
        game,
        round,
        figures,
        key: options.key,
      })
    : await playImmediately(gateway, options, figures);
  const data = gameAnswer(events, game);
  assert(data, 'an ended round has a result');
  return { data, position };
}

/** The round of the figures: the open one or the last settled one; null if neither. */
async function roundOf(
  gateway: Gateway,
  { game, wallet, key }: Playing,
  figures: PlayBody,
): Promise<string | null> {
  const { state } = await readPlayer(gateway, wallet);
  if (key !== undefined) {
    // A used key returns its result again, even if another round has started since.
    const used = await findIdempotencyKey(gateway.pool, hashKey(commandKey(wallet, key)));
    if (used) return roundEndedAt(gateway, used.position);
    // A key that is a round id belongs to that round and never starts another.
    if (isRoundOf(state, key)) return key;
  }
  const last = state.timed?.[game.id];
  if (!last) return null;
  if (last.open) return last.round;
  const { outcome } = await drawAgain(gateway, game, last);
  return isReport(game, outcome, figures) ? last.round : null;
}

/** The round that the command at this position settled; null if it started its own. */
async function roundEndedAt({ pool }: Gateway, position: number): Promise<string | null> {
  const [first] = await readCommand<LedgerEvent>(pool, position);
  const types: readonly string[] = ['BetWon', 'BetLost', 'IdempotencyKeyRecorded'];
  return first && types.includes(first.event.type)
    ? (first.event as BetWon | BetLost | IdempotencyKeyRecorded).data.round
    : null;
}

function isRoundOf({ publicId, rounds }: PlayerState, key: string): boolean {
  const prefix = `${publicId}-`;
  const number = key.slice(prefix.length);
  return key.startsWith(prefix) && /^[1-9]\d{0,14}$/.test(number) && Number(number) <= rounds;
}

function playImmediately(
  gateway: Gateway,
  { game, wallet, correlation, key }: Playing,
  figures: PlayBody,
): Promise<{ events: readonly PlacedEvent<LedgerEvent>[]; position: number }> {
  const stakeMinor = limitsOf(gateway.config.current().config, game).minStakeMinor;
  const request = { command: 'play-at-once', game: game.id, figures };
  return placeBet(gateway, { wallet, correlation, game, stakeMinor, lines: 1, key, request });
}

const compiled = new WeakMap<Game, ReturnType<typeof Compile>>();

/** Validates the fields of the game. Throws `Refused` that names the invalid one. */
function readFigures(game: TimedGame, body: unknown): PlayBody {
  const schema = compiled.get(game) ?? Compile(playBodyOf(game.timed));
  compiled.set(game, schema);
  if (schema.Check(body)) return body as PlayBody;
  const problem = textOf(schema.Errors(body), 'body');
  throw new Refused({ failed: 'bad-input', detail: { problem } });
}

/** Timed games have one line. */
const LINES = 1;

/**
 * Takes the fee and returns the seed of the round. An open round of the game whose ticks are over is settled first; any
 * other open round is a refusal.
 */
export async function startRound(
  gateway: Gateway,
  options: Caller & {
    readonly game: TimedGame;
    readonly key: string | undefined;
    /** As the player saw it, in points. */
    readonly fee: number | undefined;
  },
): Promise<{ data: StartResult; position: number }> {
  const { game, wallet, correlation } = options;
  const actor = `player:${wallet}`;
  await settleIfOver(gateway, { wallet, correlation, actor, game });
  const executed = await act(gateway, options, {
    key: options.key,
    request: { command: 'start-round', game: game.id },
    async prepare(state) {
      const { seeds } = state;
      if (!seeds) return reject('not-registered');
      const { pair, nonce, activeHash: serverSeedHash, clientSeed } = seeds;
      const { config, version: configVersion } = gateway.config.current();
      const limits = limitsOf(config, game);
      const { rules, minStakeMinor: stakeMinor } = limits;
      if (options.fee !== undefined && options.fee !== toNumber('points', stakeMinor)) {
        return reject('terms-changed');
      }
      const round = { rules, stakeMinor, lines: LINES, serverSeedHash, clientSeed, nonce };
      const draw = await openDraw(gateway, game, round);
      const command: StartRound = {
        type: 'StartRound',
        game: game.id,
        stakeMinor,
        lines: LINES,
        limits,
        rules,
        pair,
        nonce,
        draw: () => ({ ticks: game.timed.ticksOf(draw().outcome) }),
        tickMs: gateway.settings.gameTickMs,
        play: await playTermsOf(gateway, config, state),
      };
      return { command, configVersion };
    },
  });
  const { events, position, state } = settled(executed);
  const seeds = await gateway.commitments.of(events, state);
  const [placed] = events as readonly PlacedEvent<BetPlaced>[];
  assert(placed?.event.type === 'BetPlaced' && seeds, 'a started round is an event');
  const seed = await roundSeedFor(gateway, { ...placed.event.data, ...seeds });
  return { data: startAnswer(placed, { game, seed, seeds }), position };
}

/** The open round of a game, to resume it after a reload. */
export async function readOpenRound(
  gateway: Gateway,
  { wallet, game }: { readonly wallet: string; readonly game: TimedGame },
): Promise<OpenRoundAnswer> {
  const { state } = await readPlayer(gateway, wallet);
  const open = openRoundOf(state, game.id);
  if (!open) return { round: null };
  const placed = await readPlacedRound(gateway.pool, { wallet, round: open.round });
  const seed = await roundSeedFor(gateway, open);
  return { round: openRoundAnswer(open, placed, { game, seed }) };
}
