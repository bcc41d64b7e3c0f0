import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimKey, findClaim } from '@reelbook/event-store/claim';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { type Begun, examineRounds, type Known, playOn } from '../client/lasting.ts';
import { createRandom } from '../faults/schedule.ts';
import type { Stage } from '../stages/processes.ts';
import { untilHealed } from '../verdict/healed.ts';
import { audit } from './crash.ts';

const PLAYERS = 12;
/** Down for so long at most: both gateways may be, then nobody is served. */
const DOWN_MAX_MS = 400;
const HEAL_TIMEOUT_MS = 90_000;
const SAY_EVERY = 20;
const FAULTS_SHOWN_MAX = 20;

interface Between {
  readonly rounds: readonly Known[];
  readonly faults: readonly string[];
}

/** The whole run on a stage that was just set. @returns whether everything holds; all is told to `say`. */
export async function runBetween(o: {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  say(text: string): void;
}): Promise<boolean> {
  const { stage, pool, say } = o;
  const healed = () => untilHealed(stage, pool, HEAL_TIMEOUT_MS);
  const notReady = await healed();
  if (notReady.length > 0) throw new Error(`the start failed: ${notReady.join('; ')}`);
  say(`seed ${o.seed}: ${o.kills} kills of a gateway between stake and settlement`);
  const { rounds, faults } = await killBetween(o);
  const examined = await examineRounds(pool, rounds);
  const reported = rounds.filter(({ ended }) => ended !== null).length;
  say(`rounds     ${rounds.length} begun, ${reported} reported by their players and answered`);
  say(
    `settled    all within ${examined.seconds.toFixed(1)} s of the last kill, each once; ` +
      `${examined.swept} by the sweep of a gateway`,
  );
  const all = [...(await healed()), ...faults, ...examined.faults];
  all.push(...stage.services.flatMap((service) => service.faults));
  if (!(await audit(stage))) all.push('the audit found the book faulty');
  for (const fault of all.slice(0, FAULTS_SHOWN_MAX)) say(`FAULT      ${fault}`);
  const told = `seed ${o.seed}, ${o.kills} kills between stake and settlement`;
  say(
    all.length > 0
      ? `FAULTY     ${told}: ${all.length} faults`
      : `SOUND      ${told}: no round open for ever, none settled twice`,
  );
  return all.length === 0;
}

/**
 * Players begin rounds and report them; each kill waits for a round that has just begun, and ends the gateway that began
 * it, at a random moment before its end is answered. Then all must settle by itself.
 */
async function killBetween(o: {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
  say(text: string): void;
}): Promise<Between> {
  const { stage } = o;
  const random = createRandom(o.seed);
  const rounds: Known[] = [];
  const faults: string[] = [];
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // each player that waits for a round's end is one
  let onBegun: ((begun: Begun) => void) | null = null;
  const nextBegun = () =>
    new Promise<Begun>((resolve) => {
      onBegun = resolve;
    });
  const begun = (one: Begun) => onBegun?.(one);
  const players = Array.from({ length: PLAYERS }, (_, index) =>
    playOn({
      ...{ origins: stage.gateways, rounds, faults, begun, stop: stop.signal },
      wallet: createWallet(o.seed * 1_000 + index),
      random: createRandom(o.seed * 1_000 + index),
    }),
  );
  let kills = 0;
  while (kills < o.kills) {
    const { round, origin, lastsMs } = await nextBegun();
    // Anywhere between the stake and the end of the last tick, when the report is on its way.
    await sleep(random() * lastsMs);
    const service = stage.services.find(
      ({ name }) => name === `gateway-${stage.gateways.indexOf(origin) + 1}`,
    );
    if (!service || service.pid() === null) continue;
    if (await findClaim(o.pool, claimKey(`settle:${round}`))) continue; // over already
    await service.kill(Math.round(random() * DOWN_MAX_MS));
    kills++;
    if (kills % SAY_EVERY === 0) o.say(`${kills}/${o.kills} kills, ${rounds.length} rounds begun`);
  }
  stop.abort();
  await Promise.all(players);
  return { rounds, faults };
}
