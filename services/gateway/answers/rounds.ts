import type {
  BetResult,
  GameResult,
  OpenRound,
  Round,
  StartResult,
} from '@reelbook/contract/player/games';
import type { Game } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import { isCapped, readSlotOutcome, slotMachine } from '@reelbook/games/slot-machine/rules';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toNumber } from '@reelbook/ledger/money';
import type { BetLost, BetPlaced, BetWon } from '@reelbook/ledger/player/events';
import type { TimedRound } from '@reelbook/ledger/player/state';
import type { Round as RoundRow } from '@reelbook/projections/entries/rounds';
import type { DrawnFrom } from '../commitments.ts';
import type { PlacedRound } from '../reads/open-round.ts';
import { balancesAnswer, betAnswer } from './player.ts';

/** Converts rounds of any game to API responses. Pure. */

const points = (minor: bigint) => toNumber('points', minor);

/** Response to a command that ended a round; null for events of other commands. */
export function resultAnswer(
  events: readonly PlacedEvent<LedgerEvent>[],
  options: { readonly games: readonly Game[]; readonly seeds: DrawnFrom | null },
): BetResult | GameResult | null {
  const id = endedBy(events)?.event.data.game ?? '';
  if (id === slotMachine.id) return betAnswer(events, options.seeds);
  const game = findGame(id, options.games);
  return game && gameAnswer(events, game);
}

/** Result of a round, from the last event of its command; null if it ended no round. */
export function gameAnswer(
  events: readonly PlacedEvent<LedgerEvent>[],
  game: Game,
): GameResult | null {
  const ended = endedBy(events);
  if (!ended) return null;
  const { round, outcome, stakeMinor, after } = ended.event.data;
  const [first] = events;
  const choice = first?.event.type === 'BetPlaced' && (first.event as BetPlaced).data.choice;
  const reward = points(ended.event.type === 'BetWon' ? ended.event.data.payoutMinor : 0n);
  return {
    round_id: round,
    game: game.apiKey,
    ...(choice && { choice }),
    outcome,
    figures: game.timed ? game.timed.reportOf(outcome) : {},
    result: reward > 0 ? 'won' : 'lost',
    reward,
    message: reward > 0 ? wonText(reward) : LOST_TEXT,
    bet_amount: points(stakeMinor),
    win_amount: reward,
    total_win: reward,
    created_at: ended.time,
    ...balancesAnswer(after, ended),
  };
}

const wonText = (reward: number) => `恭喜！您获得 ${reward} 积分。You won ${reward} points.`;
const LOST_TEXT = '很遗憾，本局没有奖励。No reward this time.';

function endedBy(
  events: readonly PlacedEvent<LedgerEvent>[],
): PlacedEvent<BetWon | BetLost> | null {
  const last = events.at(-1);
  const ends = last?.event.type === 'BetWon' || last?.event.type === 'BetLost';
  return ends ? (last as PlacedEvent<BetWon | BetLost>) : null;
}

export function startAnswer(
  placed: PlacedEvent<BetPlaced>,
  { seeds, ...of }: { readonly game: Game; readonly seed: string; readonly seeds: DrawnFrom },
): StartResult {
  const { data } = placed.event;
  assert(data.timed, 'a timed round has its duration');
  const at = { position: placed.position, placedAt: placed.time };
  return {
    ...startedRound({ ...data, ...data.timed, ...seeds }, at, of),
    ...balancesAnswer(data.after, placed),
  };
}

export function openRoundAnswer(
  round: TimedRound,
  placed: PlacedRound,
  of: { readonly game: Game; readonly seed: string },
): OpenRound {
  return { ...startedRound(round, placed, of), elapsed_ms: placed.elapsedMs };
}

function startedRound(
  round: Omit<TimedRound, 'open'>,
  placed: Pick<PlacedRound, 'position' | 'placedAt'>,
  { game, seed }: { readonly game: Game; readonly seed: string },
) {
  return {
    round_id: round.round,
    game: game.apiKey,
    rules: round.rules,
    round_seed: seed,
    tick_ms: round.tickMs,
    bet_amount: points(round.stakeMinor),
    server_seed_hash: round.serverSeedHash,
    client_seed: round.clientSeed,
    nonce: round.nonce,
    bet_position: placed.position,
    created_at: placed.placedAt,
  };
}

/** Null for an open round. */
export function roundAnswer(row: RoundRow, games: readonly Game[]): Round | null {
  if (!row.settled) return null;
  const { payoutMinor, outcome, position, at } = row.settled;
  const voided = 'voided' in outcome;
  const won = !voided && payoutMinor > 0n;
  const game = findGame(row.game, games);
  const slot = row.game === slotMachine.id && !voided ? readSlotOutcome(outcome) : null;
  const shown = slot ? { symbols: [[...slot.symbols]], row: slot.row } : { symbols: [], row: '' };
  const title = game?.title ?? row.game;
  const drawn = voided ? 'cancelled' : (slot?.row ?? game?.describe(outcome) ?? 'played');
  return {
    id: row.round,
    round_id: row.round,
    type: won ? 'game_win' : 'game_loss',
    amount: points(payoutMinor - row.stakeMinor),
    status: voided ? 'voided' : 'completed',
    description: won || !slot ? `${title}: ${drawn}` : `${title}: no win`,
    created_at: at,
    extra_data: JSON.stringify({ action: won ? 'win' : 'bet', ...(slot ? shown : outcome) }),
    game: row.game.replaceAll('-', '_'),
    ...shown,
    outcome: slot ? { ...slot, capped: isCapped(slot, { ...row, payoutMinor }) } : outcome,
    ...(row.choice && { choice: row.choice }),
    lines: row.lines,
    bet_amount: points(row.stakeMinor),
    win_amount: points(payoutMinor),
    rules: row.rules,
    server_seed_hash: row.serverSeedHash,
    client_seed: row.clientSeed,
    nonce: row.nonce,
    bet_position: row.betPosition,
    position,
  };
}
