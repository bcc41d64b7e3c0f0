import { type Static, Type } from 'typebox';
import { nullableText, Position, pageOf, Time } from './common.ts';

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

export const RotateBody = Type.Object(
  {
    client_seed: Type.Optional(
      Type.String({ description: '1 to 64 visible ASCII characters, no colon' }),
    ),
  },
  { additionalProperties: false },
);
export type RotateBody = Static<typeof RotateBody>;

export const PairParams = Type.Object({ pair: Type.String({ pattern: '^[1-9]\\d{0,8}$' }) });

/** One nonce of a pair of seeds. There are no gaps: each has its round, and a void names its reason. */
export const PairNonce = Type.Object({
  nonce: Type.Integer(),
  round_id: Type.String(),
  game: Type.String(),
  status: Type.Unsafe<'open' | 'won' | 'lost' | 'voided'>({ type: 'string' }),
  reason: nullableText('Why it was voided'),
  bet_position: Position,
  position: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Where it was settled; null while it is open',
  }),
});
export type PairNonce = Static<typeof PairNonce>;

export const NoncePage = pageOf(PairNonce);
export type NoncePage = Static<typeof NoncePage>;
