import { toText } from '@reelbook/ledger/money';
import { checkRound, drawBet } from '../check.ts';
import type { Game } from '../game.ts';
import { type Found, fails, open, passes, rawBody } from './found.ts';
import type { Receipt } from './receipt.ts';

/** Draws the outcome again from seed and rules; of a voided round, what it would have paid. */
export function checkDraw(receipt: Receipt, find: (id: string) => Game | null): Found {
  if (receipt.status === 'open') return open('the round is not settled yet');
  const isVoided = receipt.status === 'voided';
  if (receipt.server_seed === null) {
    const wait = 'the round is drawn again when its seed is revealed';
    return open(isVoided ? `${wait}: ${voidedBy(receipt)}` : wait);
  }
  const { server_seed_hash: serverSeedHash, client_seed: clientSeed, ...rest } = receipt;
  const bet = { ...rest, serverSeedHash, clientSeed, stakeMinor: BigInt(receipt.stake_minor) };
  const [outcome, payoutMinor] = [receipt.outcome ?? {}, BigInt(receipt.payout_minor ?? '0')];
  const check = isVoided
    ? drawBet(bet, receipt.server_seed, find)
    : checkRound({ ...bet, outcome, payoutMinor }, receipt.server_seed, find);
  if (!check.ok) {
    const drawn = check.drawn ? `; the seeds give ${JSON.stringify(check.drawn.outcome)}` : '';
    return fails(`${FAULTS[check.fault]}${drawn}`);
  }
  const drawn = `drawn again: ${JSON.stringify(check.drawn.outcome)}`;
  if (!isVoided) return passes(drawn);
  const paid = toText('points', check.drawn.payoutMinor);
  return passes(`${drawn}, which would have paid ${paid}; ${voidedBy(receipt)}`);
}

/** By whom a round was voided, why, and the returned stake. */
function voidedBy({ events, stake_minor }: Receipt): string {
  const { reason, approvedBy } = rawBody(events.at(-1)?.body ?? '').data;
  const who = typeof approvedBy === 'string' ? 'two operators' : 'an operator';
  const stake = toText('points', BigInt(stake_minor));
  return `${who} voided it and gave the stake of ${stake} back (${reason})`;
}

const FAULTS = {
  'unknown-game': 'this verifier does not know the game',
  'unknown-rules': 'this verifier does not know the rules',
  'wrong-choice': 'the game does not have this choice',
  'seed-not-committed': 'the server seed is not the one that was committed to',
  'outcome-differs': 'the outcome is not what seeds and rules give',
  'payout-differs': 'the payout is not what seeds and rules give',
} as const;
