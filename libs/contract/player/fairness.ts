import { type Static, Type } from 'typebox';
import {
  Choice,
  closed,
  EXAMPLE,
  NumberText,
  named,
  nullable,
  nullableInteger,
  nullableText,
  oneOf,
  Position,
  pageOf,
  pageQuery,
  Time,
  text,
} from '../common.ts';
import { playerTopic } from '../route.ts';
import { Round } from './games.ts';

export const ProvenRound = named('ProvenRound', {
  ...Round.properties,
  server_seed: nullableText('null until the seed pair is rotated'),
});
export type ProvenRound = Static<typeof ProvenRound>;

const RoundParams = Type.Object({
  round_id: text(EXAMPLE.round, { pattern: '^[\\x21-\\x7e]{1,64}$' }),
});

/** Maximum revealed pairs in a response, newest first. */
export const REVEALED_MAX = 50;

export const RevealedSeed = named('RevealedSeed', {
  pair: Type.Integer(),
  server_seed_hash: text(EXAMPLE.hash),
  server_seed: text(EXAMPLE.hash, '32 bytes in hex; their SHA-256 is server_seed_hash'),
  client_seed: text(EXAMPLE.seed),
  nonces: Type.Integer({ description: 'Number of nonces used: 0 to nonces - 1' }),
  position: Position,
  revealed_at: Time,
});
export type RevealedSeed = Static<typeof RevealedSeed>;

export const Seeds = named('Seeds', {
  pair: Type.Integer(),
  active: Type.Object({
    server_seed_hash: text(EXAMPLE.hash),
    client_seed: text(EXAMPLE.seed),
    client_seed_by: oneOf(
      ['player', 'site'],
      'Who chose it: player or site; always site for the first pair',
    ),
    nonce: Type.Integer({ description: 'Next nonce to be used' }),
  }),
  next: Type.Object({ server_seed_hash: text(EXAMPLE.hash) }),
  revealed: Type.Array(RevealedSeed),
});
export type Seeds = Static<typeof Seeds>;

/** One nonce of a seed pair. Nonces have no gaps: each has a round, and a voided round has a reason. */
export const PairNonce = named('PairNonce', {
  nonce: Type.Integer(),
  round_id: text(EXAMPLE.round),
  game: text('snake'),
  status: oneOf(['open', 'won', 'lost', 'voided']),
  reason: nullableText('Reason of a void; else null'),
  bet_position: Position,
  position: nullableInteger('Position of its settlement; null while it is open'),
});
export type PairNonce = Static<typeof PairNonce>;

export const NoncePage = pageOf(PairNonce);
export type NoncePage = Static<typeof NoncePage>;

const Hash = text(EXAMPLE.hash, '64 hex digits');

const Minor = text('100', 'Hundredths of points as decimal text');

const chained = {
  position: Position,
  body: text('{"position":34,"stream":"config"}', 'Exact text that is hashed'),
  previous_hash: Hash,
  hash: text(EXAMPLE.hash, 'SHA-256(previous hash || body), in hex'),
};

const AnchorProof = named('AnchorProof', {
  from_seal: Type.Integer(),
  seal: Type.Integer({ description: 'Newest seal that the anchor covers' }),
  root: Hash,
  seals_root: text(EXAMPLE.hash, 'RFC 6962 root over the roots of its seals'),
  siblings: Type.Array(Hash, { description: 'Merkle path from the root of the seal upwards' }),
  wallet: text(EXAMPLE.address, 'Wallet of the treasury, which signed it'),
  signature: text(EXAMPLE.transaction, 'Signature of the Solana transaction'),
  slot: Type.Integer(),
  memo: text('reelbook seals 1-12', 'Memo of the transaction'),
  anchor_event: Type.Object(chained),
});

const Inclusion = named('Inclusion', {
  seal: Type.Integer(),
  from: Position,
  to: Position,
  root: text(EXAMPLE.hash, 'RFC 6962 root over the hashes of the events from..to'),
  siblings: Type.Array(Hash, { description: 'Merkle path from the leaf upwards' }),
  seal_event: Type.Object(chained),
  anchor: Type.Optional(nullable(AnchorProof)),
});

const proven = {
  ...chained,
  status: oneOf(['sealed', 'not sealed yet']),
  inclusion: nullable(Inclusion),
};

export const EventProof = named('EventProof', {
  ...proven,
  commitment: Type.Optional(
    Type.Array(Type.Object(proven), {
      description:
        'Only for a bet: the SeedsCommitted and ClientSeedChanged events that it is drawn from',
    }),
  ),
});
export type EventProof = Static<typeof EventProof>;

export const Receipt = named('Receipt', {
  version: text('reelbook-receipt-2'),
  issued_at: Time,
  wallet: text(EXAMPLE.address),
  round_id: text(EXAMPLE.round),
  game: text('slot-machine'),
  status: oneOf(['open', 'won', 'lost', 'voided']),
  rules: text('slot-1'),
  rules_hash: Hash,
  lines: Type.Integer(),
  choice: Type.Optional(Choice),
  stake_minor: Minor,
  payout_minor: nullableText('Hundredths of points as decimal text; null while the round is open'),
  outcome: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  server_seed_hash: Hash,
  seed_status: oneOf(['revealed', 'awaiting reveal']),
  server_seed: nullableText(),
  client_seed: text(EXAMPLE.seed),
  nonce: Type.Integer(),
  postings: Type.Array(
    Type.Object({
      position: Position,
      account: text(`player:${EXAMPLE.address}`),
      asset: text('points'),
      delta_minor: Minor,
    }),
  ),
  events: Type.Array(Type.Object(proven)),
  signature: Type.Object({
    algorithm: oneOf(['ed25519']),
    public_key: Hash,
    value: text(
      EXAMPLE.hash.repeat(2),
      '128 hex digits; docs/fairness.md defines the signed bytes',
    ),
  }),
});
export type Receipt = Static<typeof Receipt>;

export const SharedRound = named('SharedRound', {
  version: text('reelbook-shared-round-1'),
  rules: text('slot-1'),
  lines: Type.Integer(),
  choice: Type.Optional(Choice),
  server_seed: text(EXAMPLE.hash),
  client_seed: text(EXAMPLE.seed),
  nonce: Type.Integer(),
  signature: Receipt.properties.signature,
});
export type SharedRound = Static<typeof SharedRound>;

export const ReceiptKey = named('ReceiptKey', {
  algorithm: oneOf(['ed25519']),
  public_key: Hash,
  receipt_version: text('reelbook-receipt-2'),
  lost: Type.Array(
    Type.Object({ epoch: Type.Integer(), from: Position, to: Position, before: Time }),
    { description: 'Events that restores lost: at these positions, with an earlier time' },
  ),
});
export type ReceiptKey = Static<typeof ReceiptKey>;

/** Maximum seals in a response. */
export const SEALS_SHOWN = 50;

export const LedgerSeal = named('LedgerSeal', {
  seal: Type.Integer(),
  from: Position,
  to: Position,
  root: Hash,
  chain_hash: text(EXAMPLE.hash, 'Hash of the event at `to`'),
  position: Position,
  sealed_at: Time,
  anchor_signature: nullableText('Solana transaction that anchors it; null if not anchored yet'),
});
export type LedgerSeal = Static<typeof LedgerSeal>;

const call = playerTopic('fairness');

export const fairnessRoutes = {
  seeds: call('GET', '/fairness/seeds', 'player', {
    summary: `Get the next, active and revealed seeds, at most ${REVEALED_MAX} revealed`,
    data: Seeds,
  }),
  rotateSeeds: call('POST', '/fairness/rotate', 'player', {
    summary: 'Reveal the active server seed and activate the next one',
    body: closed({
      client_seed: Type.Optional(
        text(EXAMPLE.seed, '1 to 64 visible ASCII characters, no colon; default: random'),
      ),
    }),
    data: Seeds,
  }),
  pairNonces: call('GET', '/fairness/seeds/:pair/nonces', 'player', {
    summary: 'List the nonces of a seed pair with their rounds',
    params: Type.Object({ pair: text('1', { pattern: '^[1-9]\\d{0,8}$' }) }),
    query: pageQuery(50),
    data: NoncePage,
  }),
  round: call('GET', '/fairness/rounds/:round_id', 'player', {
    summary: 'Get a round with everything that determines its outcome',
    params: RoundParams,
    data: ProvenRound,
  }),
  event: call('GET', '/user/events/:position', 'player', {
    summary: "Get one of the player's own events with its proof: text, hashes, inclusion in a seal",
    params: Type.Object({ position: NumberText }),
    data: EventProof,
  }),
  receipt: call('GET', '/fairness/rounds/:round_id/receipt', 'player', {
    summary: 'Get a signed receipt of a round; /verifier.html verifies it offline',
    params: RoundParams,
    data: Receipt,
  }),
  sharedRound: call('GET', '/fairness/rounds/:round_id/shared', 'player', {
    summary:
      'Get a won round for others, without player, stake and time: the inputs of its draw, signed; its server seed must be revealed',
    params: RoundParams,
    data: SharedRound,
  }),
  receiptKey: call('GET', '/fairness/key', 'public', {
    summary: 'Get the public key of receipts, and which of their events restores have lost',
    data: ReceiptKey,
  }),
  ledgerSeals: call('GET', '/fairness/seals', 'public', {
    summary: `List the ${SEALS_SHOWN} newest seals of the ledger, newest first`,
    data: Type.Array(LedgerSeal),
  }),
};
