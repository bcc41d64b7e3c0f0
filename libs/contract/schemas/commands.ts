import { type Static, Type } from 'typebox';
import { IDEMPOTENCY_KEY_PATTERN } from './common.ts';
import type { ExchangeResult } from './exchange.ts';
import type { GameResult, StartResult } from './games.ts';
import type { WithdrawResult } from './payments.ts';
import type { BetResult } from './slot.ts';

export const KeyParams = Type.Object({
  key: Type.String({
    pattern: IDEMPOTENCY_KEY_PATTERN,
    description: 'The Idempotency-Key of the command, URL-encoded',
  }),
});

export type CommandResult = BetResult | GameResult | StartResult | ExchangeResult | WithdrawResult;

/** What became of a command that was sent with an Idempotency-Key. */
export const CommandOutcome = Type.Object({
  status: Type.Unsafe<'none' | 'done' | 'discarded'>({
    type: 'string',
    enum: ['none', 'done', 'discarded'],
    description:
      'none: not executed so far; a request on its way may still be. done: executed. discarded: never executed',
  }),
  position: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Of its last event in the ledger',
  }),
  result: Type.Unsafe<CommandResult | null>({
    description: 'The data that the command itself was answered with; null unless done',
  }),
});
export type CommandOutcome = Static<typeof CommandOutcome>;
