import { type Static, Type } from 'typebox';
import { balanceFields, Time } from './common.ts';

export const EXCHANGE_TYPES = ['points', 'token'] as const;
export type ExchangeType = (typeof EXCHANGE_TYPES)[number];

const exchangeType = (description: string) =>
  Type.Unsafe<ExchangeType>({ type: 'string', enum: [...EXCHANGE_TYPES], description });

/** Whether the amount is there, and gives something, is for the rules to say, in their own phrases. */
export const ExchangeBody = Type.Object(
  {
    from_type: exchangeType('What is given'),
    to_type: exchangeType('What comes for it'),
    amount: Type.Number({ description: 'Of from_type, in whole units' }),
  },
  { additionalProperties: false },
);
export type ExchangeBody = Static<typeof ExchangeBody>;

export const ExchangeResult = Type.Object({
  success: Type.Literal(true),
  from_type: exchangeType('What was given'),
  to_type: exchangeType('What came for it'),
  amount: Type.Number({ description: 'Given, in whole units' }),
  tokens_received: Type.Number({ description: '0 when points were bought' }),
  points_received: Type.Number({ description: '0 when token were bought' }),
  rate: Type.Number({ description: 'Whole units of to_type for one of from_type' }),
  created_at: Time,
  ...balanceFields,
});
export type ExchangeResult = Static<typeof ExchangeResult>;
