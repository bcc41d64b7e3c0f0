import { configDecider } from './config/decide.ts';
import type { Decider, LedgerEvent } from './decider.ts';
import { operatorsDecider } from './operators/decide.ts';
import { playerDecider } from './player/decide.ts';
import { sealsDecider } from './seals/decide.ts';
import type { StreamKind } from './streams.ts';
import { treasuryDecider } from './treasury/decide.ts';

/** The decider of each kind of stream, for code that folds any stream: the audit, the console. */
export const deciders: Readonly<Record<StreamKind, Decider<unknown, never, LedgerEvent>>> = {
  player: playerDecider as unknown as Decider<unknown, never, LedgerEvent>,
  config: configDecider as unknown as Decider<unknown, never, LedgerEvent>,
  operators: operatorsDecider as unknown as Decider<unknown, never, LedgerEvent>,
  seals: sealsDecider as unknown as Decider<unknown, never, LedgerEvent>,
  treasury: treasuryDecider as unknown as Decider<unknown, never, LedgerEvent>,
};
