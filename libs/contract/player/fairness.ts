import { type Static, Type } from 'typebox';
import {
  Choice,
  closed,
  NumberText,
  nullable,
  nullableInteger,
  nullableText,
  Position,
  pageOf,
  pageQuery,
  Time,
} from '../common.ts';
import { playerTopic } from '../route.ts';
import { Round } from './slot.ts';

export const ProvenRound = Type.Object({
  ...Round.properties,
  server_seed: nullableText('null until the seed pair is rotated'),
});
export type ProvenRound = Static<typeof ProvenRound>;

const RoundParams = Type.Object({
  round_id: Type.String({ pattern: '^[\\x21-\\x7e]{1,64}$' }),
});

/** Maximum revealed pairs in a response, newest first. */
export const REVEALED_MAX = 50;

export const RevealedSeed = Type.Object({
  pair: Type.Integer(),
  server_seed_hash: Type.String(),
  server_seed: Type.String({ description: '32 bytes in hex; their SHA-256 is server_seed_hash' }),
  client_seed: Type.String(),
  nonces: Type.Integer({ description: 'Number of nonces used: 0 to nonces - 1' }),
  position: Position,
  revealed_at: Time,
});
export type RevealedSeed = Static<typeof RevealedSeed>;

export const Seeds = Type.Object({
  pair: Type.Integer(),
  active: Type.Object({
    server_seed_hash: Type.String(),
    client_seed: Type.String(),
    client_seed_by: Type.Unsafe<'player' | 'site'>({
      type: 'string',
      description: 'Who chose it: player or site; always site for the first pair',
    }),
    nonce: Type.Integer({ description: 'Next nonce to be used' }),
  }),
  next: Type.Object({ server_seed_hash: Type.String() }),
  revealed: Type.Array(RevealedSeed),
});
export type Seeds = Static<typeof Seeds>;

/** One nonce of a seed pair. Nonces have no gaps: each has a round, and a voided round has a reason. */
export const PairNonce = Type.Object({
  nonce: Type.Integer(),
  round_id: Type.String(),
  game: Type.String(),
  status: Type.Unsafe<'open' | 'won' | 'lost' | 'voided'>({ type: 'string' }),
  reason: nullableText('Reason of a void; else null'),
  bet_position: Position,
  position: nullableInteger('Position of its settlement; null while it is open'),
});
export type PairNonce = Static<typeof PairNonce>;

export const NoncePage = pageOf(PairNonce);
export type NoncePage = Static<typeof NoncePage>;

const Hash = Type.String({ description: '64 hex digits' });

const Minor = Type.String({ description: 'Hundredths of points as decimal text' });

const chained = {
  position: Position,
  body: Type.String({ description: 'Exact text that is hashed' }),
  previous_hash: Hash,
  hash: Type.String({ description: 'SHA-256(previous hash || body), in hex' }),
};

const AnchorProof = Type.Object({
  from_seal: Type.Integer(),
  seal: Type.Integer({ description: 'Newest seal that the anchor covers' }),
  root: Hash,
  seals_root: Type.String({ description: 'RFC 6962 root over the roots of its seals' }),
  siblings: Type.Array(Hash, { description: 'Merkle path from the root of the seal upwards' }),
  wallet: Type.String({ description: 'Wallet of the treasury, which signed it' }),
  signature: Type.String({ description: 'Signature of the Solana transaction' }),
  slot: Type.Integer(),
  memo: Type.String({ description: 'Memo of the transaction' }),
  anchor_event: Type.Object(chained),
});

const Inclusion = Type.Object({
  seal: Type.Integer(),
  from: Position,
  to: Position,
  root: Type.String({ description: 'RFC 6962 root over the hashes of the events from..to' }),
  siblings: Type.Array(Hash, { description: 'Merkle path from the leaf upwards' }),
  seal_event: Type.Object(chained),
  anchor: Type.Optional(nullable(AnchorProof)),
});

const proven = {
  ...chained,
  status: Type.Unsafe<'sealed' | 'not sealed yet'>({ type: 'string' }),
  inclusion: nullable(Inclusion),
};

export const EventProof = Type.Object({
  ...proven,
  commitment: Type.Optional(
    Type.Array(Type.Object(proven), {
      description:
        'Only for a bet: the SeedsCommitted and ClientSeedChanged events that it is drawn from',
    }),
  ),
});
export type EventProof = Static<typeof EventProof>;

export const Receipt = Type.Object({
  version: Type.String(),
  issued_at: Time,
  wallet: Type.String(),
  round_id: Type.String(),
  game: Type.String(),
  status: Type.Unsafe<'open' | 'won' | 'lost' | 'voided'>({ type: 'string' }),
  rules: Type.String(),
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
  seed_status: Type.Unsafe<'revealed' | 'awaiting reveal'>({ type: 'string' }),
  server_seed: nullableText(),
  client_seed: Type.String(),
  nonce: Type.Integer(),
  postings: Type.Array(
    Type.Object({
      position: Position,
      account: Type.String(),
      asset: Type.String(),
      delta_minor: Minor,
    }),
  ),
  events: Type.Array(Type.Object(proven)),
  signature: Type.Object({
    algorithm: Type.Unsafe<'ed25519'>({ type: 'string' }),
    public_key: Hash,
    value: Type.String({
      description: '128 hex digits; docs/fairness.md defines the signed bytes',
    }),
  }),
});
export type Receipt = Static<typeof Receipt>;

export const ReceiptKey = Type.Object({
  algorithm: Type.Unsafe<'ed25519'>({ type: 'string' }),
  public_key: Hash,
  receipt_version: Type.String(),
});
export type ReceiptKey = Static<typeof ReceiptKey>;

/** Maximum seals in a response. */
export const SEALS_SHOWN = 50;

export const LedgerSeal = Type.Object({
  seal: Type.Integer(),
  from: Position,
  to: Position,
  root: Hash,
  chain_hash: Type.String({ description: 'Hash of the event at `to`' }),
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
        Type.String({ description: '1 to 64 visible ASCII characters, no colon; default: random' }),
      ),
    }),
    data: Seeds,
  }),
  pairNonces: call('GET', '/fairness/seeds/:pair/nonces', 'player', {
    summary: 'List the nonces of a seed pair with their rounds',
    params: Type.Object({ pair: Type.String({ pattern: '^[1-9]\\d{0,8}$' }) }),
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
  receiptKey: call('GET', '/fairness/key', 'public', {
    summary: 'Get the public key of receipts',
    data: ReceiptKey,
  }),
  ledgerSeals: call('GET', '/fairness/seals', 'public', {
    summary: `List the ${SEALS_SHOWN} newest seals of the ledger, newest first`,
    data: Type.Array(LedgerSeal),
  }),
};
