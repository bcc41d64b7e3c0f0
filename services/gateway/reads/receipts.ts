import { setTimeout } from 'node:timers/promises';
import {
  type NoncePage,
  type PairNonce,
  REVEALED_MAX,
  type RevealedSeed,
  type Seeds,
} from '@reelbook/contract/player/fairness';
import { readLost } from '@reelbook/event-store/known-head';
import { type CommittedSeeds, readCommitment } from '@reelbook/event-store/read-stream';
import { checkReceipt } from '@reelbook/games/proofs/check-receipt';
import type { EventProof } from '@reelbook/games/proofs/event-proof';
import {
  publicKeyOf,
  RECEIPT_VERSION,
  type Receipt,
  type ReceiptPosting,
  signReceipt,
} from '@reelbook/games/proofs/receipt';
import { type SharedRound, signShared } from '@reelbook/games/proofs/shared-round';
import { findGame } from '@reelbook/games/rules';
import { Refused } from '@reelbook/http/routes';
import { assert } from '@reelbook/ledger/assert';
import { isVisibleToPlayer, postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { playerStream } from '@reelbook/ledger/streams';
import { type Round, readRoundsById } from '@reelbook/projections/entries/rounds';
import { readAnchorsFrom, readNewestSeals } from '@reelbook/projections/ledger-seals/projection';
import { readPairsBefore, readRevealedSeeds } from '@reelbook/projections/seeds/projection';
import { revealedAnswer, seedsAnswer } from '../answers/player.ts';
import type { Gateway } from '../context.ts';
import { readPlayer } from './player.ts';
import { readNewlyRevealed } from './recent.ts';
import { readOwnRound } from './rounds.ts';

/**
 * One of the player's own events with its proof; a bet includes the commitment to its seeds. Events of others, and hidden
 * events, are not found.
 */
export async function readEventProof(
  gateway: Pick<Gateway, 'prover' | 'pool'>,
  options: { readonly wallet: string; readonly position: number },
): Promise<EventProof> {
  const proven = await gateway.prover.prove(options.position);
  const isOwn = proven?.recorded.stream === playerStream(options.wallet);
  if (!isOwn || !isVisibleToPlayer(proven.recorded.event)) {
    throw new Refused({ failed: 'not-found', detail: { what: 'you have no such event' } });
  }
  if (proven.recorded.event.type !== 'BetPlaced') return proven.proof;
  const seeds = await readCommitment(gateway.pool, proven.recorded as RecordedEvent<BetPlaced>);
  const committed = await proveAll(gateway, commitmentAt(seeds));
  return { ...proven.proof, commitment: committed.map(({ proof }) => proof) };
}

/** The positions of the events that commit to the seeds of a bet. */
const commitmentAt = ({ committedAt }: CommittedSeeds) => [committedAt, committedAt + 1];

const proveAll = ({ prover }: Pick<Gateway, 'prover'>, positions: readonly number[]) =>
  Promise.all(
    positions.map(async (position) => {
      const found = await prover.prove(position);
      assert(found, `the ledger has an event at #${position}`);
      assert(isVisibleToPlayer(found.recorded.event), `its player may see #${position}`);
      return found;
    }),
  );

/**
 * A signed receipt of one of the player's own rounds, as of now. A later receipt may contain more: the revealed seed, or
 * seals of the events.
 */
export async function readReceipt(
  gateway: Pick<Gateway, 'pool' | 'vault' | 'prover' | 'settings' | 'games'>,
  options: { readonly wallet: string; readonly round: string; readonly nowMs: number },
): Promise<Receipt> {
  const { row, serverSeed } = await readOwnRound(gateway, options);
  const ofRound = [row.betPosition, ...(row.settled ? [row.settled.position] : [])];
  const proven = await proveAll(gateway, [...commitmentAt(row), ...ofRound]);
  const { payoutMinor = null } = row.settled ?? {};
  const status = statusOf(row);
  const body = {
    version: RECEIPT_VERSION,
    issued_at: new Date(options.nowMs).toISOString(),
    wallet: options.wallet,
    round_id: row.round,
    game: row.game,
    status,
    rules: row.rules,
    rules_hash: rulesHashOf(gateway, row),
    lines: row.lines,
    ...(row.choice && { choice: row.choice }),
    stake_minor: String(row.stakeMinor),
    payout_minor: payoutMinor === null ? null : String(payoutMinor),
    outcome: row.settled && status !== 'voided' ? row.settled.outcome : null,
    server_seed_hash: row.serverSeedHash,
    seed_status: serverSeed === null ? ('awaiting reveal' as const) : ('revealed' as const),
    server_seed: serverSeed,
    client_seed: row.clientSeed,
    nonce: row.nonce,
    postings: proven.flatMap(({ recorded }) => postingsOf(recorded, options.wallet)),
    events: proven.map(({ proof }) => proof),
  };
  return signReceipt(body, gateway.settings.receiptKey);
}

/**
 * One of the player's own won rounds for others to draw again. Signed only if its receipt passes every check, so from the
 * events of the ledger, whatever the rows of the read models have.
 */
export async function readSharedRound(
  gateway: Parameters<typeof readReceipt>[0],
  options: Parameters<typeof readReceipt>[1],
): Promise<SharedRound> {
  const receipt = await readReceipt(gateway, options);
  const { status, rules, lines, choice, server_seed, client_seed, nonce } = receipt;
  const { games, settings } = gateway;
  const checks = checkReceipt(receipt, null, (id) => findGame(id, games));
  const isProven = checks.every(({ state }) => state !== 'fails');
  if (status !== 'won' || server_seed === null || !isProven) {
    const what = 'only a won round whose server seed is revealed can be shared';
    throw new Refused({ failed: 'not-found', detail: { what } });
  }
  const inputs = { rules, lines, ...(choice && { choice }), server_seed, client_seed, nonce };
  return signShared(inputs, { secretKey: settings.receiptKey, games });
}

/** The outcome of a voided round is its reason, see libs/projections/entries/rounds.ts. */
function statusOf({ settled }: Pick<Round, 'settled'>): Receipt['status'] {
  if (!settled) return 'open';
  if (reasonOf({ settled }) !== null) return 'voided';
  return settled.payoutMinor > 0n ? 'won' : 'lost';
}

/** The reason of a voided round; else null. */
function reasonOf({ settled }: Pick<Round, 'settled'>): string | null {
  const { voided } = settled?.outcome ?? {};
  return typeof voided === 'string' ? voided : null;
}

function postingsOf({ event, position }: RecordedEvent, wallet: string): ReceiptPosting[] {
  return postings(event, wallet).map(({ account, asset, deltaMinor }) => ({
    position,
    account,
    asset,
    delta_minor: String(deltaMinor),
  }));
}

const rulesHashes = new Map<string, string>();

/** Rules never change: each is hashed once. */
function rulesHashOf({ games }: Pick<Gateway, 'games'>, { game, rules }: Round): string {
  const key = `${game} ${rules}`;
  const known = rulesHashes.get(key) ?? findGame(game, games)?.odds(rules).rulesHash;
  assert(known, `${game} has rules ${rules}`);
  rulesHashes.set(key, known);
  return known;
}

/** The public key of receipts, and what restores have lost of their events. */
export async function receiptKeyAnswer({ pool, settings }: Pick<Gateway, 'pool' | 'settings'>) {
  const public_key = publicKeyOf(settings.receiptKey);
  const lost = [...(await readLost(pool))];
  return { algorithm: 'ed25519' as const, public_key, receipt_version: RECEIPT_VERSION, lost };
}

export async function readLedgerSeals({ pool }: Pick<Gateway, 'pool'>, limit: number) {
  const seals = await readNewestSeals(pool, limit);
  const anchors = await readAnchorsFrom(pool, seals.at(-1)?.seal ?? 1);
  return seals.map(({ chainHash, sealedAt, ...seal }) => ({
    ...seal,
    chain_hash: chainHash,
    sealed_at: sealedAt,
    anchor_signature: anchors.find((one) => one.seal >= seal.seal)?.signature ?? null,
  }));
}

type Reader = Pick<Gateway, 'pool'>;

export async function readRevealed(reader: Reader, wallet: string): Promise<RevealedSeed[]> {
  const rows = await readRevealedSeeds(reader.pool, { wallet, limit: REVEALED_MAX });
  return rows.map(revealedAnswer);
}

/** The current next, active and revealed seeds of a player. */
export async function readSeeds(reader: Reader, wallet: string): Promise<Seeds> {
  const { state, version } = await readPlayer(reader, wallet);
  assert(state.seeds, 'a registered player has seeds');
  const known = await readRevealed(reader, wallet);
  const pair = known[0]?.pair ?? 0;
  if (pair >= state.seeds.pair - 1) return seedsAnswer(state.seeds, known);
  const fresh = await readNewlyRevealed(reader.pool, { wallet, version, pair });
  return seedsAnswer(state.seeds, [...fresh, ...known].slice(0, REVEALED_MAX));
}

/** How long a request waits for projections that lag behind a rotation; then it is refused with 503. */
const BEHIND_MAX_MS = 3_000;
const PAUSE_MS = 50;

interface PairQuery {
  readonly wallet: string;
  readonly pair: number;
  readonly page: number;
  readonly pageSize: number;
}

/**
 * The nonces of one seed pair of the player, from 0, each with its round. Every round uses one nonce, so round numbers
 * follow from the nonces of the earlier pairs. A gap fails the assertion in `nonceOf`.
 */
export async function readPairNonces(
  gateway: Pick<Gateway, 'pool'>,
  query: PairQuery,
): Promise<NoncePage> {
  const until = Date.now() + BEHIND_MAX_MS;
  for (;;) {
    const page = await readPage(gateway, query);
    if (page) return page;
    if (Date.now() >= until) throw new Refused({ failed: 'unavailable' });
    await setTimeout(PAUSE_MS);
  }
}

/** Null while a projection lags. */
async function readPage(
  { pool }: Pick<Gateway, 'pool'>,
  options: PairQuery,
): Promise<NoncePage | null> {
  const { state } = await readPlayer({ pool }, options.wallet);
  assert(state.seeds, 'a registered player has seeds');
  if (options.pair > state.seeds.pair) {
    throw new Refused({ failed: 'not-found', detail: { what: 'you have no such pair of seeds' } });
  }
  const before = await readPairsBefore(pool, { wallet: options.wallet, pair: options.pair });
  if (before.pairs !== options.pair - 1) return null;
  const active = options.pair === state.seeds.pair;
  const next = active ? state.rounds : await roundsUpTo(pool, options);
  if (next === null) return null;
  const total = next - before.nonces;
  const first = (options.page - 1) * options.pageSize;
  const count = Math.max(0, Math.min(options.pageSize, total - first));
  const ids = Array.from(
    { length: count },
    (_, i) => `${state.publicId}-${before.nonces + first + i + 1}`,
  );
  const rows = await readRoundsById(pool, ids);
  const rounds = ids.flatMap((id) => rows.get(id) ?? []);
  if (rounds.length < ids.length) return null;
  const items = rounds.map((round, i) => nonceOf(round, first + i));
  return { items, page: options.page, page_size: options.pageSize, total };
}

async function roundsUpTo(pool: Gateway['pool'], options: { wallet: string; pair: number }) {
  const { pairs, nonces } = await readPairsBefore(pool, {
    wallet: options.wallet,
    pair: options.pair + 1,
  });
  return pairs === options.pair ? nonces : null;
}

function nonceOf(round: Round, nonce: number): PairNonce {
  assert(round.nonce === nonce, `round ${round.round} was played with nonce ${nonce}`);
  const { settled } = round;
  return {
    nonce,
    round_id: round.round,
    game: round.game.replaceAll('-', '_'),
    status: statusOf(round),
    reason: reasonOf(round),
    bet_position: round.betPosition,
    position: settled?.position ?? null,
  };
}
