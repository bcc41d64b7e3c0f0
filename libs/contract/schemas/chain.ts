import { type Static, Type } from 'typebox';
import { nullableText, Time } from './common.ts';

export const WalletBalanceQuery = Type.Object(
  {
    wallet_address: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "In base58; the player's own where it is left out",
      }),
    ),
  },
  { additionalProperties: false },
);

export const WalletBalance = Type.Object({
  wallet_address: Type.String(),
  balance: Type.Number({ description: 'BSM on the chain; 0 without a token account' }),
  stale: Type.Boolean({
    description: 'The chain could not be asked in time: this is what was last known, 0 if nothing',
  }),
  as_of: nullableText('When the chain was asked; null while it never answered'),
});
export type WalletBalance = Static<typeof WalletBalance>;

export const FaucetGift = Type.Object({
  wallet_address: Type.String(),
  amount: Type.Number({ description: 'BSM given' }),
  sol: Type.Number({ description: 'SOL given, for fees' }),
  tx_hash: Type.String(),
  next_at: Time,
});
export type FaucetGift = Static<typeof FaucetGift>;
