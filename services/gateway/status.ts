import { busCheck } from '@reelbook/event-store/bus/bus';
import { clockChecks } from '@reelbook/event-store/clock';
import { integrityCheck } from '@reelbook/event-store/integrity';
import { ledgerCheck } from '@reelbook/event-store/read-log';
import type { Check } from '@reelbook/runtime/health';
import type { Gateway } from './context.ts';

/** Readiness checks. The bus is optional: without it pushes are only delayed. */
export const checksOf = ({ pool, bus }: Pick<Gateway, 'pool' | 'bus'>): readonly Check[] => [
  ledgerCheck(pool),
  ...clockChecks(pool),
  integrityCheck(pool),
  { ...busCheck(bus), optional: true },
];
