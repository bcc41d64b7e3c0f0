import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { type Static, Type } from 'typebox';
import { Position, Time } from '../schemas/common.ts';

export const RoleName = Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] });

export const Wallet = Type.String({
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  description: 'Address of a Solana wallet',
});

/** Why an operator does it: stands in the event. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: REASON_MAX_LENGTH,
  description: 'Why; it stands in the event',
});

/** What an act left behind: where in the book it stands. */
export const Done = Type.Object({ position: Position });
export type Done = Static<typeof Done>;

/** What is proposed has a number instead of an effect. */
export const ProposalNumber = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'Its number when it waits for a second person; null: it is done',
});

export const RoleDone = Type.Object({ position: Position, proposal: ProposalNumber });

export const SignInBody = Type.Object(
  {
    wallet_address: Type.String({ maxLength: 64 }),
    signature: Type.String({ maxLength: 300, description: '64 bytes as numbers, by comma' }),
    message: Type.String({ maxLength: 200, description: 'The sentence, then the time in ms' }),
  },
  { additionalProperties: false },
);
export type SignInBody = Static<typeof SignInBody>;

export const LinkBody = Type.Object(
  { link: Type.String({ maxLength: 100, description: 'What the printed link carries' }) },
  { additionalProperties: false },
);

export const OperatorSession = Type.Object({
  token: Type.String(),
  expires_at: Time,
  operator: Wallet,
  role: RoleName,
});
export type OperatorSession = Static<typeof OperatorSession>;

export const Me = Type.Object({
  operator: Wallet,
  role: RoleName,
  expires_at: Time,
  local_chain: Type.Boolean({ description: 'Play money only' }),
});
export type Me = Static<typeof Me>;

export const Operator = Type.Object({
  operator: Wallet,
  role: Type.Unsafe<Role | null>({
    type: ['string', 'null'],
    enum: [...ROLES, null],
    description: 'null: revoked',
  }),
});
export type Operator = Static<typeof Operator>;

export const OperatorParams = Type.Object({ operator: Wallet });
export const AddOperatorBody = Type.Object(
  { operator: Wallet, role: RoleName, reason: Reason },
  { additionalProperties: false },
);
export const RoleBody = Type.Object(
  { role: RoleName, reason: Reason },
  { additionalProperties: false },
);
export const ReasonBody = Type.Object({ reason: Reason }, { additionalProperties: false });
