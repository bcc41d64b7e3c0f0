import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import type { Cost } from './http.ts';

/** Recorded costs of an earlier run, see `--record`. */
const RECORD = join(REPOSITORY, 'bench/results/cost.json');
/**
 * A figure this many times worse than recorded is a regression. Ratios within one run vary less, even on a busy machine.
 */
const REGRESSION = 2;

export function recordCost(cost: Cost): void {
  const rounded = Object.entries(cost).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
}

/** @returns one line for each figure that is more than twice as bad as recorded. */
export function findRegressions(cost: Cost): readonly string[] {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Cost;
  return Object.entries(recorded).flatMap(([name, before]) => {
    const now = cost[name as keyof Cost];
    const worse = name === 'rate' ? before / now : now / before;
    // Negated, so that NaN fails too.
    return worse <= REGRESSION ? [] : [`${name} is ${now.toPrecision(3)}; recorded is ${before}`];
  });
}
