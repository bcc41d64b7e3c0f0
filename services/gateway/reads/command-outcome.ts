import type { CommandOutcome, CommandResult } from '@reelbook/contract/player/profile';
import { commandKey, findIdempotencyKey, hashKey } from '@reelbook/event-store/execution';
import { readCommand } from '@reelbook/event-store/read-log';
import { findGame } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { PlacedEvent } from '@reelbook/ledger/events';
import type { BetPlaced, IdempotencyKeyRecorded } from '@reelbook/ledger/player/events';
import { resultAnswer, startAnswer } from '../answers/rounds.ts';
import { exchangeAnswer, withdrawAnswer } from '../answers/wallet.ts';
import type { Gateway } from '../context.ts';
import { readRoundEnd, roundSeedFor } from './open-round.ts';

/** The outcome of the command with this key, only from the ledger. Executes nothing. */
export async function readCommandOutcome(
  gateway: Gateway,
  { wallet, key }: { readonly wallet: string; readonly key: string },
): Promise<CommandOutcome> {
  const used = await findIdempotencyKey(gateway.pool, hashKey(commandKey(wallet, key)));
  if (!used) return { status: 'none', position: null, result: null };
  const all = await readCommand<LedgerEvent>(gateway.pool, used.position);
  const events = all.filter(({ event }) => isVisibleToPlayer(event));
  const position = events.at(-1)?.position ?? used.position;
  const [first] = events;
  if (first?.event.type === 'CommandDiscarded') {
    return { status: 'discarded', position, result: null };
  }
  if (first?.event.type === 'IdempotencyKeyRecorded') {
    const { round } = (first.event as IdempotencyKeyRecorded).data;
    const end = await readRoundEnd(gateway.pool, { wallet, round });
    assert(end, 'a recorded key has a settled round');
    return { status: 'done', position: end.position, result: await resultOf(gateway, [end]) };
  }
  return { status: 'done', position, result: await resultOf(gateway, events) };
}

async function resultOf(
  gateway: Gateway,
  events: readonly PlacedEvent<LedgerEvent>[],
): Promise<CommandResult> {
  const seeds = await gateway.commitments.of(events);
  const result =
    resultAnswer(events, { games: gateway.games, seeds }) ??
    exchangeAnswer(events) ??
    withdrawAnswer(events);
  if (result) return result;
  const [placed] = events as readonly PlacedEvent<BetPlaced>[];
  assert(placed?.event.type === 'BetPlaced' && seeds, 'every command with a key has a result');
  const game = findGame(placed.event.data.game, gateway.games);
  assert(game, 'the game of a round exists');
  const seed = await roundSeedFor(gateway, { ...placed.event.data, ...seeds });
  return startAnswer(placed, { game, seed, seeds });
}
