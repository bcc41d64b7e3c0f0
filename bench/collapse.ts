import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@reelbook/runtime/repository';
import type { Cost } from './http.ts';

/** The costs of the last run that was recorded, see `--record`. */
const RECORD = join(REPOSITORY, 'bench/results/cost.json');
/** How many times worse than recorded is a collapse. Ratios of one run differ less, whatever else the machine does. */
const COLLAPSE = 2;

export function recordCost(cost: Cost): void {
  const rounded = Object.entries(cost).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(rounded), null, 2)}\n`);
}

/** @returns a line for each figure that is more than twice as bad as the recorded one. */
export function findCollapses(cost: Cost): readonly string[] {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Cost;
  return Object.entries(recorded).flatMap(([name, before]) => {
    const now = cost[name as keyof Cost];
    const worse = name === 'rate' ? before / now : now / before;
    // Also when it is not a number.
    return worse <= COLLAPSE ? [] : [`${name} is ${now.toPrecision(3)}; recorded is ${before}`];
  });
}
