import { type Static, Type } from 'typebox';
import { Position, Time } from './common.ts';

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
    nonce: Type.Integer({ description: 'The next nonce to be used' }),
  }),
  next: Type.Object({ server_seed_hash: Type.String() }),
  revealed: Type.Array(RevealedSeed),
});
export type Seeds = Static<typeof Seeds>;

export const RotateBody = Type.Object(
  {
    client_seed: Type.Optional(
      Type.String({ maxLength: 400, description: '1 to 64 visible ASCII characters, no colon' }),
    ),
  },
  { additionalProperties: false },
);
export type RotateBody = Static<typeof RotateBody>;
