import { PERIODS } from '@reelbook/ledger/calendar';
import { CARES } from '@reelbook/ledger/config/care';
import { EXCLUSION_TERMS } from '@reelbook/ledger/player/protection-commands';
import { LIMIT_KINDS } from '@reelbook/ledger/player/protection-events';
import { type Static, Type } from 'typebox';
import { Position, Time } from '../schemas/common.ts';
import { Amount, oneOf } from './reads/parts.ts';
import { ProposalNumber, Reason, Wallet } from './schemas.ts';

const closed = { additionalProperties: false };

export const WalletOnly = Type.Object({ wallet: Wallet });

const Id = Type.String({ pattern: '^[\\w-]{1,64}$' });
export const RoundParams = Type.Object({ wallet: Wallet, round: Id });
export const AdjustmentParams = Type.Object({ wallet: Wallet, adjustment: Id });
export const WithdrawalOnly = Type.Object({ withdrawal: Id });
export const SignatureParams = Type.Object({
  signature: Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,90}$' }),
});

export const NoteBody = Type.Object({ note: Reason }, closed);

/** Newest first. */
export const Notes = Type.Array(
  Type.Object({ position: Position, time: Time, by: Type.String(), note: Type.String() }),
);

export const LimitPlayerBody = Type.Object(
  {
    kind: oneOf(LIMIT_KINDS),
    period: oneOf(PERIODS),
    minor: Type.String({
      pattern: '^(0|[1-9]\\d{0,18})$',
      description: 'Minor units: of token for deposits, of points else',
    }),
    reason: Reason,
  },
  closed,
);
export const ExcludePlayerBody = Type.Object(
  { term: oneOf(EXCLUSION_TERMS), reason: Reason },
  closed,
);

export const AdjustBody = Type.Object({ amount: Amount, reason: Reason }, closed);

export const Adjusted = Type.Object({
  position: Position,
  adjustment: Type.String(),
  status: oneOf(['done', 'waiting'], 'waiting: another operator must approve it'),
});
export type Adjusted = Static<typeof Adjusted>;

export const Voided = Type.Object({
  position: Position,
  status: oneOf(['done', 'waiting'], 'waiting: another operator must void it too'),
});
export type Voided = Static<typeof Voided>;

/** What waits for a second operator, newest first. */
export const Adjustments = Type.Array(
  Type.Object({
    adjustment: Type.Union([Type.String(), Type.Null()], { description: 'Null: a void' }),
    round: Type.Union([Type.Object({ round: Type.String(), game: Type.String() }), Type.Null()], {
      description: 'That is to be voided; null: an adjustment',
    }),
    wallet: Wallet,
    amount: Amount,
    by: Type.String(),
    reason: Type.String(),
    position: Position,
    proposed_at: Time,
  }),
);
export type Adjustments = Static<typeof Adjustments>;

export const ExpiredBody = Type.Object(
  {
    block_height: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The finalized height at which you saw that the attempt is dead',
    }),
    reason: Reason,
  },
  closed,
);

export const ResolveBody = Type.Object(
  {
    to: Type.String({
      pattern: '^(house|player:[1-9A-HJ-NP-Za-km-z]{32,44})$',
      description: 'house, or player:<wallet>',
    }),
    reason: Reason,
  },
  closed,
);

export const Switches = Type.Array(
  Type.Object({
    switch: Type.String({ description: 'all, exchange, withdrawals, or game:<id>' }),
    on: Type.Boolean({ description: 'False: stopped' }),
    title: Type.String(),
  }),
);
export type Switches = Static<typeof Switches>;

export const SwitchBody = Type.Object(
  {
    switch: Type.String({ maxLength: 60 }),
    on: Type.Boolean(),
    reason: Reason,
  },
  closed,
);

/** One value of the configuration by its path, as text: amounts in minor units, rates as 1/100. */
const Value = Type.Object({ path: Type.String(), text: Type.String(), meaning: Type.String() });

export const Configuration = Type.Object({
  version: Type.Integer({ description: 'Counts changes; name it when you change something' }),
  values: Type.Array(Value),
});
export type Configuration = Static<typeof Configuration>;

const CHANGES_MAX = 60;
const VALUE_MAX_LENGTH = 200;
const changes = Type.Array(
  Type.Object(
    {
      path: Type.String({ minLength: 1, maxLength: VALUE_MAX_LENGTH }),
      value: Type.String({ maxLength: VALUE_MAX_LENGTH }),
    },
    closed,
  ),
  { minItems: 1, maxItems: CHANGES_MAX },
);

export const PreviewBody = Type.Object({ changes }, closed);
export const ChangeBody = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'Of the configuration that you looked at' }),
    changes,
    reason: Reason,
  },
  closed,
);

export const Changed = Type.Object({
  path: Type.String(),
  before: Type.String(),
  after: Type.String(),
});

const Band = Type.Object({
  from_bet: Type.Integer(),
  to_bet: Type.Integer(),
  percent_low: Type.Number(),
  percent_high: Type.Number(),
});

/** What one version promises of a game, exactly. */
const Terms = Type.Object({
  rules: Type.String(),
  enabled: Type.Boolean(),
  return_percent: Type.Number(),
  hit_rate_percent: Type.Number(),
  return_by_bet: Type.Array(Band),
});
export type Terms = Static<typeof Terms>;

const Effect = Type.Object({
  games: Type.Array(Type.Object({ game: Type.String(), before: Terms, after: Terms })),
  round_trip_percent: Type.Object({
    before: Type.Number({ description: 'What is left of points after token and back' }),
    after: Type.Number(),
  }),
  withdrawal_fee_percent: Type.Object({ before: Type.Number(), after: Type.Number() }),
});

export const Preview = Type.Object({
  version: Type.Integer(),
  faults: Type.Array(Type.String(), { description: 'All of them; none: it may be changed so' }),
  changes: Type.Array(Changed),
  effect: Type.Union([Effect, Type.Null()], { description: 'Null while there are faults' }),
  care: oneOf(CARES, 'one: you alone, at once; two: two people; wait: two people and a wait'),
});
export type Preview = Static<typeof Preview>;

export const HistoryQuery = Type.Object(
  {
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  closed,
);

/** Newest first. */
export const History = Type.Object({
  entries: Type.Array(
    Type.Object({
      version: Type.Integer(),
      position: Position,
      time: Time,
      actor: Type.String(),
      proposed_by: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'null: one person was enough',
      }),
      reason: Type.String(),
      changes: Type.Array(Changed),
    }),
  ),
  next: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: '`before` of the next page; null: there is none',
  }),
});
export type History = Static<typeof History>;

export const ConfigurationDone = Type.Object({
  position: Position,
  version: Type.Integer(),
  proposal: ProposalNumber,
});
