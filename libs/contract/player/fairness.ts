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
  server_seed: nullableText('Null until its pair of seeds is rotated out'),
});
export type ProvenRound = Static<typeof ProvenRound>;

const RoundParams = Type.Object({
  round_id: Type.String({ pattern: '^[\\x21-\\x7e]{1,64}$' }),
});

/** How many revealed pairs a look at the seeds shows, newest first. */
export const REVEALED_MAX = 50;

export const RevealedSeed = Type.Object({
  pair: Type.Integer(),
  server_seed_hash: Type.String(),
  server_seed: Type.String({ description: 'sha256 of its 32 bytes is server_seed_hash' }),
  client_seed: Type.String(),
  nonces: Type.Integer({ description: 'It was used for the nonces 0 to nonces - 1' }),
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
      description: 'Who chose it: player or site. That of the first pair is always the site’s',
    }),
    nonce: Type.Integer({ description: 'The next nonce to be used' }),
  }),
  next: Type.Object({ server_seed_hash: Type.String() }),
  revealed: Type.Array(RevealedSeed),
});
export type Seeds = Static<typeof Seeds>;

/** One nonce of a pair of seeds. There are no gaps: each has its round, and a void names its reason. */
export const PairNonce = Type.Object({
  nonce: Type.Integer(),
  round_id: Type.String(),
  game: Type.String(),
  status: Type.Unsafe<'open' | 'won' | 'lost' | 'voided'>({ type: 'string' }),
  reason: nullableText('Why it was voided'),
  bet_position: Position,
  position: nullableInteger('Where it was settled; null while it is open'),
});
export type PairNonce = Static<typeof PairNonce>;

export const NoncePage = pageOf(PairNonce);
export type NoncePage = Static<typeof NoncePage>;

const Hash = Type.String({ description: '64 hex digits' });

const Minor = Type.String({ description: 'Minor units as decimal text: hundredths of points' });

const chained = {
  position: Position,
  body: Type.String({ description: 'The very text that was sealed' }),
  previous_hash: Hash,
  hash: Type.String({ description: 'SHA-256(previous hash || body), in hex' }),
};

const AnchorProof = Type.Object({
  from_seal: Type.Integer(),
  seal: Type.Integer({ description: 'The newest seal that the anchor covers' }),
  root: Hash,
  seals_root: Type.String({ description: 'RFC 6962 root over the roots of its seals' }),
  siblings: Type.Array(Hash, { description: 'From the root of the seal up' }),
  wallet: Type.String({ description: 'The treasury, which signed it' }),
  signature: Type.String({ description: 'Of the transaction on Solana' }),
  slot: Type.Integer(),
  memo: Type.String({ description: 'What that transaction says' }),
  anchor_event: Type.Object(chained),
});

const Inclusion = Type.Object({
  seal: Type.Integer(),
  from: Position,
  to: Position,
  root: Type.String({ description: 'RFC 6962 root over the hashes of the events from..to' }),
  siblings: Type.Array(Hash, { description: 'From the leaf up' }),
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
      description: 'Only of a bet: the SeedsCommitted and ClientSeedChanged that it is drawn from',
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
  payout_minor: nullableText('Null while the round is open'),
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
    value: Type.String({ description: '128 hex digits; what is signed: docs/fairness.md' }),
  }),
});
export type Receipt = Static<typeof Receipt>;

export const ReceiptKey = Type.Object({
  algorithm: Type.Unsafe<'ed25519'>({ type: 'string' }),
  public_key: Hash,
  receipt_version: Type.String(),
});
export type ReceiptKey = Static<typeof ReceiptKey>;

/** How many seals are shown, newest first. */
export const SEALS_SHOWN = 50;

export const LedgerSeal = Type.Object({
  seal: Type.Integer(),
  from: Position,
  to: Position,
  root: Hash,
  chain_hash: Type.String({ description: 'The hash of the event at `to`' }),
  position: Position,
  sealed_at: Time,
  anchor_signature: nullableText('The transaction on Solana that anchors it; null while none does'),
});
export type LedgerSeal = Static<typeof LedgerSeal>;

const call = playerTopic('fairness');

/** The calls by which a player checks the site. */
export const fairnessRoutes = {
  seeds: call('GET', '/fairness/seeds', 'player', {
    summary: 'Seeds in their three stages: next, active, revealed',
    data: Seeds,
  }),
  rotateSeeds: call('POST', '/fairness/rotate', 'player', {
    summary: 'Reveal the active seed and go on with the next',
    body: closed({
      client_seed: Type.Optional(
        Type.String({ description: '1 to 64 visible ASCII characters, no colon' }),
      ),
    }),
    data: Seeds,
  }),
  pairNonces: call('GET', '/fairness/seeds/:pair/nonces', 'player', {
    summary: 'Every nonce of a pair of seeds with its round, or the reason why it has none',
    params: Type.Object({ pair: Type.String({ pattern: '^[1-9]\\d{0,8}$' }) }),
    query: pageQuery(50),
    data: NoncePage,
  }),
  round: call('GET', '/fairness/rounds/:round_id', 'player', {
    summary: 'One round with all that its outcome follows from',
    params: RoundParams,
    data: ProvenRound,
  }),
  event: call('GET', '/user/events/:position', 'player', {
    summary: "One of the player's own events with its proof: text, hashes, place under a seal",
    params: Type.Object({ position: NumberText }),
    data: EventProof,
  }),
  receipt: call('GET', '/fairness/rounds/:round_id/receipt', 'player', {
    summary: 'A signed receipt of one round; verify it with /verifier.html, without this site',
    params: RoundParams,
    data: Receipt,
  }),
  receiptKey: call('GET', '/fairness/key', 'public', {
    summary: 'The public key that receipts are signed with',
    data: ReceiptKey,
  }),
  ledgerSeals: call('GET', '/fairness/seals', 'public', {
    summary:
      'The newest seals on the ledger, newest first: keep a root, and what it seals is fixed',
    data: Type.Array(LedgerSeal),
  }),
};
