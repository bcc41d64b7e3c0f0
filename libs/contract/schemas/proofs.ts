import { type Static, Type } from 'typebox';
import { Choice, nullableText, Position, Time } from './common.ts';

const Hash = Type.String({ description: '64 hex digits' });
const Minor = Type.String({ description: 'Minor units as decimal text: hundredths of points' });
const nullable = <T>(type: string) => Type.Unsafe<T | null>({ type: [type, 'null'] });

/** A position as text of a path: digits alone, few enough to be counted exactly. */
export const EventParams = Type.Object({ position: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) });

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
  anchor: Type.Optional(Type.Union([AnchorProof, Type.Null()])),
});

const proven = {
  ...chained,
  status: Type.Unsafe<'sealed' | 'not sealed yet'>({ type: 'string' }),
  inclusion: Type.Union([Inclusion, Type.Null()]),
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
  server_seed: nullable<string>('string'),
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
