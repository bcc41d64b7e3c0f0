import { assert, unreachable } from '../assert.ts';
import type { PlayerEvent } from './events.ts';
import { withNotice, withRead } from './notices.ts';
import type { PlayerState, SeedState } from './state.ts';

/** Applies one event. Money comes from the event's own `after`, which the audit compares with the postings. */
export function evolve(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case 'PlayerRegistered':
      return { ...state, wallet: event.data.wallet, publicId: event.data.publicId };
    case 'SessionStarted':
      return state;
    case 'NicknameChanged':
      return { ...state, nickname: event.data.nickname };
    case 'SeedsCommitted':
      return { ...state, seeds: { ...event.data, clientSeed: '', nonce: 0 } };
    case 'ClientSeedChanged':
      return { ...state, seeds: { ...seedsOf(state), clientSeed: event.data.clientSeed } };
    case 'SeedRevealed':
      return withNotice({ ...state, seeds: null }, event.data.notice);
    case 'BetPlaced': {
      const seeds = seedsOf(state);
      assert(event.data.nonce === seeds.nonce, 'nonces have no gaps');
      return {
        ...state,
        ...event.data.after,
        seeds: { ...seeds, nonce: seeds.nonce + 1 },
        rounds: state.rounds + 1,
      };
    }
    case 'BetLost':
      return { ...state, ...event.data.after };
    case 'WelcomeGranted':
    case 'BetWon':
    case 'Exchanged':
      return withNotice({ ...state, ...event.data.after }, event.data.notice);
    case 'NotificationsRead':
      return withRead(state, event.data);
    default:
      return unreachable(event);
  }
}

function seedsOf(state: PlayerState): SeedState {
  assert(state.seeds, 'the player has committed seeds');
  return state.seeds;
}
