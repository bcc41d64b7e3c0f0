import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findIdempotencyKey, hashKey } from '@reelbook/event-store/execution';
import { playerStream } from '@reelbook/ledger/streams';
import { print } from '@reelbook/runtime/command';
import { createRandom } from '@reelbook/testing/random';
import type pg from 'pg';
import type { Journal, Round } from '../client/journal.ts';
import { Player } from '../client/player.ts';
import type { Stage } from '../stages/processes.ts';
import { conclude } from '../verdict/conclude.ts';
import { untilRecovered } from '../verdict/recovered.ts';
import { examineRounds } from '../verdict/rounds.ts';
import { auditStage } from './crash.ts';

const PLAYERS = 12;
/** The longest downtime. Both gateways may be down at the same time. */
const DOWN_MAX_MS = 400;
const RECOVERY_TIMEOUT_MS = 90_000;
const SAY_EVERY = 20;

interface Run {
  readonly stage: Stage;
  readonly pool: pg.Pool;
  readonly kills: number;
  readonly seed: number;
}

/** Runs on a fresh stage. @returns whether every check passed. */
export async function runBetween(run: Run): Promise<boolean> {
  const { stage, pool } = run;
  const recovered = () => untilRecovered(stage, pool, RECOVERY_TIMEOUT_MS);
  const notReady = await recovered();
  if (notReady.length > 0) throw new Error(`the start failed: ${notReady.join('; ')}`);
  print(`seed ${run.seed}: ${run.kills} kills of a gateway between stake and settlement`);
  const journals = await killBetween(run);
  const rounds = journals.flatMap((journal) => journal.rounds);
  const examined = await examineRounds(pool, rounds);
  const reported = rounds.filter(({ ended }) => ended !== null).length;
  print(`rounds     ${rounds.length} begun, ${reported} reported by their players and answered`);
  print(
    `settled    all within ${examined.seconds.toFixed(1)} s of the last kill, each once; ` +
      `${examined.swept} by the sweep of a gateway`,
  );
  const faults = [
    ...(await recovered()),
    ...journals.flatMap((journal) => journal.faults),
    ...examined.faults,
    ...stage.services.flatMap((service) => service.faults),
    ...(await auditStage(stage)),
  ];
  const summary = `seed ${run.seed}, ${run.kills} kills between stake and settlement`;
  return conclude(summary, 'no round left open, none settled twice', faults);
}

/** A round that has just begun, and the gateway that began it. */
interface Begun {
  readonly wallet: string;
  readonly round: Round;
  readonly origin: string;
}

/**
 * Players begin rounds and report them; each kill waits for a round that has just begun, and ends the gateway that began
 * it, at a random time before its settlement is answered. Then every round must settle.
 */
async function killBetween({ stage, pool, kills, seed }: Run): Promise<readonly Journal[]> {
  const random = createRandom(seed);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // each player that waits for a round's end is one
  let onBegun: ((begun: Begun) => void) | null = null;
  const nextBegun = () =>
    new Promise<Begun>((resolve) => {
      onBegun = resolve;
    });
  const players = Array.from(
    { length: PLAYERS },
    (_, index) => new Player({ origins: stage.gateways, seed: seed * 1_000 + index }),
  );
  const playing = players.map((player) =>
    player.playLasting(stop.signal, (round, origin) =>
      onBegun?.({ wallet: player.journal.wallet, round, origin }),
    ),
  );
  const begun = () => players.reduce((sum, { journal }) => sum + journal.rounds.length, 0);
  for (let done = 0; done < kills; ) {
    const { wallet, round, origin } = await nextBegun();
    // Anywhere between the stake and the end of the last tick, when the report is on its way.
    await sleep(random() * round.lastsMs);
    const service = stage.services.find(
      ({ name }) => name === `gateway-${stage.gateways.indexOf(origin) + 1}`,
    );
    if (!service || service.pid() === null) continue;
    if (
      await findIdempotencyKey(
        pool,
        hashKey(`${playerStream(wallet)}:settle:${round.begun.round_id}`),
      )
    )
      continue; // over already
    await service.kill(Math.round(random() * DOWN_MAX_MS));
    done++;
    if (done % SAY_EVERY === 0) print(`${done}/${kills} kills, ${begun()} rounds begun`);
  }
  stop.abort();
  await Promise.all(playing);
  return players.map(({ journal }) => journal);
}
