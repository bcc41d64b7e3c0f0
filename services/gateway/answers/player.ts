import type { Balances } from '@reelbook/contract/common';
import type { RevealedSeed, Seeds } from '@reelbook/contract/player/fairness';
import type { User } from '@reelbook/contract/player/profile';
import type { BetResult } from '@reelbook/contract/player/slot';
import { isCapped, readSlotOutcome } from '@reelbook/games/slot-machine/rules';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { toNumber } from '@reelbook/ledger/money';
import type { Balances as Owned } from '@reelbook/ledger/player/balances';
import type { BetLost, BetPlaced, BetWon } from '@reelbook/ledger/player/events';
import { clientSeedBy, type PlayerState } from '@reelbook/ledger/player/state';
import type { RevealedSeed as SeedRow } from '@reelbook/projections/seeds/projection';
import type { DrawnFrom } from '../commitments.ts';

/** Converts ledger data to API responses. Pure: the same events give the same response. */

const GAMES_PER_LEVEL = 10;
const EXPERIENCE_PER_GAME = 10;
const EXPERIENCE_PER_LEVEL = 100;
const PUBLIC_ID_SHOWN = 5;

const points = (minor: bigint) => toNumber('points', minor);

export function balancesAnswer(
  owned: Owned,
  place: { readonly version: number; readonly position: number },
): Balances {
  const token = toNumber('token', owned.tokenMinor);
  return {
    balance: token,
    token_balance: token,
    points_balance: points(owned.pointsMinor),
    stream_version: place.version,
    position: place.position,
  };
}

/** Level and experience count all rounds ever started. */
export function userAnswer(state: PlayerState): User {
  const level = Math.floor(state.rounds / GAMES_PER_LEVEL) + 1;
  return {
    wallet_address: state.wallet,
    public_id: state.publicId,
    nickname: state.nickname,
    display_name: state.nickname ?? `User${state.publicId.slice(-PUBLIC_ID_SHOWN)}`,
    level,
    experience: EXPERIENCE_PER_GAME * state.rounds,
    next_level_experience: EXPERIENCE_PER_LEVEL * level,
  };
}

/** Response to a bet and its push message, from its two events and its seeds; null for events of other commands. */
export function betAnswer(
  events: readonly PlacedEvent<LedgerEvent>[],
  seeds: DrawnFrom | null,
): BetResult | null {
  const [first, last] = events;
  if (first?.event.type !== 'BetPlaced' || !last || !seeds) return null;
  const placed = first.event as BetPlaced;
  const ended = last.event as BetWon | BetLost;
  assert(ended.type === 'BetWon' || ended.type === 'BetLost', 'a bet settles in its own command');
  const outcome = readSlotOutcome(ended.data.outcome);
  const payoutMinor = ended.type === 'BetWon' ? ended.data.payoutMinor : 0n;
  const { stakeMinor } = placed.data;
  const win = points(payoutMinor);
  return {
    round_id: placed.data.round,
    symbols: [[...outcome.symbols]],
    row: outcome.row,
    multiple: outcome.multiple,
    total_win: win,
    win_amount: win,
    is_jackpot: outcome.isJackpot,
    capped: isCapped(outcome, { stakeMinor, payoutMinor }),
    bet_amount: points(stakeMinor),
    lines: placed.data.lines,
    rules: placed.data.rules,
    server_seed_hash: seeds.serverSeedHash,
    client_seed: seeds.clientSeed,
    nonce: placed.data.nonce,
    bet_position: first.position,
    created_at: last.time,
    ...balancesAnswer(ended.data.after, last),
  };
}

export function revealedAnswer(row: SeedRow): RevealedSeed {
  return {
    pair: row.pair,
    server_seed_hash: row.serverSeedHash,
    server_seed: row.serverSeed,
    client_seed: row.clientSeed,
    nonces: row.nonces,
    position: row.position,
    revealed_at: row.revealedAt,
  };
}

export function seedsAnswer(
  seeds: NonNullable<PlayerState['seeds']>,
  revealed: readonly RevealedSeed[],
): Seeds {
  return {
    pair: seeds.pair,
    active: {
      server_seed_hash: seeds.activeHash,
      client_seed: seeds.clientSeed,
      client_seed_by: clientSeedBy(seeds),
      nonce: seeds.nonce,
    },
    next: { server_seed_hash: seeds.nextHash },
    revealed: [...revealed],
  };
}
