import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findIdempotencyKey, hashKey } from '@reelbook/event-store/execution';
import { playerStream } from '@reelbook/ledger/streams';
import { print } from '@reelbook/runtime/command';
import { createRandom } from '@reelbook/testing/random';
import type pg from 'pg';
import type { Journal, Round } from '../client/journal.ts';
import { Player } from '../client/player.ts';
import { readCommands } from '../verdict/ledger.ts';
import { untilRecovered } from '../verdict/recovered.ts';
import type { Run } from './crash.ts';

const PLAYERS = 12;
/** The longest downtime. Both gateways may be down at the same time. */
const DOWN_MAX_MS = 400;
const RECOVERY_TIMEOUT_MS = 90_000;
const SETTLED_TIMEOUT_MS = 90_000;
const LOOK_EVERY_MS = 250;
const SAY_EVERY = 20;

/** @returns the faults. */
export async function runBetween(run: Run): Promise<readonly string[]> {
  const { stage, pool } = run;
  print(`seed ${run.seed}: ${run.kills} kills of a gateway between stake and settlement`);
  const journals = await killBetween(run);
  const rounds = journals.flatMap((journal) => journal.rounds);
  const examined = await examineRounds(pool, rounds);
  const reported = rounds.filter(({ ended }) => ended !== null).length;
  print(`rounds     ${rounds.length} begun, ${reported} reported by their players and answered`);
  print(
    `settled    all within ${(examined.waited / 1_000).toFixed(1)} s of the last kill, each once; ` +
      `${examined.swept} by the sweep of a gateway`,
  );
  return [
    ...(await untilRecovered(stage, pool, RECOVERY_TIMEOUT_MS)),
    ...journals.flatMap((journal) => journal.faults),
    ...examined.faults,
    ...stage.services.flatMap((service) => service.faults),
  ];
}

/** A round that has just begun, and the gateway that began it. */
interface Begun {
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
    player.playLasting(stop.signal, (round, origin) => onBegun?.({ round, origin })),
  );
  const begun = () => players.reduce((sum, { journal }) => sum + journal.rounds.length, 0);
  for (let done = 0; done < kills; ) {
    const { round, origin } = await nextBegun();
    // Anywhere between the stake and the end of the last tick, when the report is on its way.
    await sleep(random() * round.lastsMs);
    const service = stage.services.find(
      ({ name }) => name === `gateway-${stage.gateways.indexOf(origin) + 1}`,
    );
    if (!service || service.pid() === null) continue;
    const settlement = hashKey(`${playerStream(round.wallet)}:settle:${round.begun.round_id}`);
    if (await findIdempotencyKey(pool, settlement)) continue; // over already
    await service.kill(Math.round(random() * DOWN_MAX_MS));
    done++;
    if (done % SAY_EVERY === 0) print(`${done}/${kills} kills, ${begun()} rounds begun`);
  }
  stop.abort();
  await Promise.all(playing);
  return players.map(({ journal }) => journal);
}

/**
 * Waits until no round is open, then compares the ledger with what the players know.
 * @returns faults, how many were swept, and how long it waited.
 */
export async function examineRounds(
  pool: pg.Pool,
  known: readonly Round[],
  timeoutMs = SETTLED_TIMEOUT_MS,
) {
  const since = performance.now();
  for (;;) {
    const { open, faults, swept } = await compare(pool, known);
    const waited = performance.now() - since;
    faults.push(...open.map((round) => `${round} was left open`));
    if (open.length === 0 || waited > timeoutMs) return { faults, swept, waited };
    await sleep(LOOK_EVERY_MS);
  }
}

async function compare(pool: pg.Pool, known: readonly Round[]) {
  const placed = new Set<string>();
  const ended = new Map<string, number>();
  const faults: string[] = [];
  const ids = new Set(known.map(({ begun }) => begun.round_id));
  const streams = new Set(known.map(({ wallet }) => playerStream(wallet)));
  let swept = 0;
  for (const { event, meta, stream } of [...(await readCommands(pool)).values()].flat()) {
    if (event.type === 'BetPlaced') {
      const { round } = event.data;
      placed.add(round);
      if (streams.has(stream) && !ids.has(round)) faults.push(`no player began ${round}`);
    }
    if (event.type !== 'BetWon' && event.type !== 'BetLost') continue;
    const { round } = event.data;
    if (ended.has(round)) faults.push(`${round} is settled twice`);
    ended.set(round, event.type === 'BetWon' ? Number(event.data.payoutMinor) / 100 : 0);
    if (meta.actor === 'system:gateway') swept++;
  }
  for (const { begun, reward, ended: reported } of known) {
    const id = begun.round_id;
    if (!placed.has(id)) faults.push(`${id} was answered and is not in the ledger`);
    const paid = ended.get(id);
    if (paid !== undefined && paid !== reward)
      faults.push(`${id} paid ${paid}, its seed ${reward}`);
    if (reported && reported.reward !== paid)
      faults.push(`${id} was reported ${reported.reward}, paid ${paid}`);
  }
  return { open: [...placed].filter((round) => !ended.has(round)), faults, swept };
}
