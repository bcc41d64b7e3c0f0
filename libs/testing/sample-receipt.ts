import { eventHash, GENESIS_HASH, hashServerSeed } from '@reelbook/games/fairness/commit';
import { createDraws } from '@reelbook/games/fairness/draw';
import { buildTree } from '@reelbook/games/fairness/merkle';
import type { ChainedEvent } from '@reelbook/games/proofs/chained-event';
import {
  RECEIPT_VERSION,
  type Receipt,
  type ReceiptBody,
  signReceipt,
} from '@reelbook/games/proofs/receipt';
import { findGame } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import { encode } from '@reelbook/ledger/codec';
import { postings } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';

const SAMPLE_WALLET = 'VecTor1111111111111111111111111111111111111';
export const SAMPLE_SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const TIME = '2026-11-21T12:00:00.000Z';
const BALANCE_MINOR = 1_000_000n;
/** The round is in the middle of the sealed range. */
const [COMMITTED, CHOSEN, BET, END, SEALED] = [2, 3, 4, 5, 7] as const;
const PAIR = 3;

export interface SampleRound {
  readonly game: string;
  readonly rules: string;
  readonly stakeMinor: bigint;
  readonly serverSeed: string;
  readonly clientSeed: string;
  readonly nonce: number;
  /** Why an operator voided it; it was played to its end where there is none. */
  readonly voided?: string;
}

export const SAMPLE_ROUND: SampleRound = {
  game: 'slot-machine',
  rules: 'slot-1',
  stakeMinor: 2_500n,
  serverSeed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  clientSeed: 'open-book',
  nonce: 7,
};

/** A receipt of a round that was really drawn, in a ledger of eight events made for it, sealed up to the seventh. */
export function sampleReceipt(round: SampleRound = SAMPLE_ROUND): Receipt {
  return signReceipt(sampleBody(round), SAMPLE_SECRET);
}

export function sampleBody(round: SampleRound = SAMPLE_ROUND): ReceiptBody {
  const { serverSeed, stakeMinor, voided, ...played } = round;
  const game = findGame(round.game);
  assert(game, 'a game that is registered');
  const serverSeedHash = hashServerSeed(serverSeed);
  const lines = 25;
  const choice = game.choice?.initial;
  const chosen = choice && { choice };
  const drawn = game.draw({ ...round, lines, choice, draws: createDraws(round) });
  const payoutMinor = voided === undefined ? drawn.payoutMinor : stakeMinor;
  const outcome = voided === undefined ? drawn.outcome : null;
  const shared = { round: 'vector-8', game: round.game, stakeMinor };
  const after = (pointsMinor: bigint) => ({ pointsMinor, tokenMinor: 0n });
  const left = BALANCE_MINOR - stakeMinor;
  const { rules, clientSeed, nonce } = played;
  const placed = { ...shared, lines, ...chosen, rules, pair: PAIR, nonce, after: after(left) };
  const ended = { ...shared, outcome, after: after(left + payoutMinor) };
  const nextHash = hashServerSeed('f'.repeat(64));
  const commitment = [
    { type: 'SeedsCommitted', data: { pair: PAIR, activeHash: serverSeedHash, nextHash } },
    { type: 'ClientSeedChanged', data: { pair: PAIR, clientSeed, by: 'player' } },
  ];
  const events = [
    { type: 'BetPlaced', data: placed },
    voided !== undefined
      ? { type: 'BetVoided', data: { ...shared, reason: voided, after: after(BALANCE_MINOR) } }
      : payoutMinor > 0n
        ? { type: 'BetWon', data: { ...ended, payoutMinor } }
        : { type: 'BetLost', data: ended },
  ] as unknown as readonly AnyEvent[];
  const ledger = sampleLedger([...commitment, ...events]);
  const legs = events.flatMap((event, i) =>
    postings(event, SAMPLE_WALLET).map((leg) => ({
      position: BET + i,
      account: leg.account,
      asset: leg.asset,
      delta_minor: String(leg.deltaMinor),
    })),
  );
  return {
    version: RECEIPT_VERSION,
    issued_at: TIME,
    wallet: SAMPLE_WALLET,
    round_id: shared.round,
    game: round.game,
    status: voided !== undefined ? 'voided' : payoutMinor > 0n ? 'won' : 'lost',
    rules,
    rules_hash: game.odds(rules).rulesHash,
    lines,
    ...chosen,
    stake_minor: String(stakeMinor),
    payout_minor: String(payoutMinor),
    outcome: JSON.parse(encode(outcome)),
    server_seed_hash: serverSeedHash,
    seed_status: 'revealed',
    server_seed: serverSeed,
    client_seed: clientSeed,
    nonce,
    postings: legs,
    events: [COMMITTED, CHOSEN, BET, END].map((position) => ledger.prove(position)),
  };
}

/** Eight events: a player's names around the round and its commitment, and the seal over the first seven. */
function sampleLedger(events: readonly { readonly type: string; readonly data: object }[]) {
  const chain: ChainedEvent[] = [];
  const add = (event: { type: string; data: object }, stream: string) => {
    const position = chain.length + 1;
    const previous_hash = chain.at(-1)?.hash ?? GENESIS_HASH;
    const { type, data } = event;
    const meta = { command: 'vector', correlation: 'vector' };
    // The client seed and the settlement are the second events of their commands.
    const own = position === CHOSEN || position === END ? {} : { meta };
    const body = encode({ position, stream, version: position, type, time: TIME, data, ...own });
    chain.push({ position, body, previous_hash, hash: eventHash(previous_hash, body) });
  };
  const named = (n: number) => ({ type: 'NicknameChanged', data: { nickname: `number ${n} ✓` } });
  for (let position = 1; position <= SEALED; position++) {
    add(events[position - COMMITTED] ?? named(position), `player-${SAMPLE_WALLET}`);
  }
  const tree = buildTree(chain.map(({ hash }) => Buffer.from(hash, 'hex')));
  const root = Buffer.from(tree.root).toString('hex');
  const chainHash = chain.at(-1)?.hash;
  const seal = { seal: 1, from: 1, to: SEALED, root };
  add({ type: 'LedgerSealed', data: { ...seal, chainHash, previousRoot: null } }, 'seals');
  const [event, seal_event] = [(at: number) => chain[at - 1], chain[SEALED]];
  return {
    prove(position: number) {
      const own = event(position);
      assert(own && seal_event, 'an event of the ledger');
      const siblings = tree.proof(position - 1).map((hash) => Buffer.from(hash).toString('hex'));
      const inclusion = { ...seal, siblings, seal_event };
      return { ...own, status: 'sealed' as const, inclusion };
    },
  };
}
