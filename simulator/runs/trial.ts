import { setTimeout as sleep } from 'node:timers/promises';
import { playerStream } from '@reelbook/ledger/streams';
import { print } from '@reelbook/runtime/command';
import type pg from 'pg';
import { hearEverywhere } from '../client/everywhere.ts';
import type { Journal } from '../client/journal.ts';
import { Player } from '../client/player.ts';
import { isMoney, openPurse, type Purse } from '../client/purse.ts';
import { FOLLOWERS, untilEachHasOne } from '../faults/acting.ts';
import { type Action, perform } from '../faults/acts.ts';
import type { Compose } from '../stages/compose.ts';
import { conclude } from '../verdict/conclude.ts';
import { examineLedger } from '../verdict/examine.ts';
import { readCommands } from '../verdict/ledger.ts';
import { type Patient, untilRecovered } from '../verdict/recovered.ts';
import { examineRounds } from '../verdict/rounds.ts';
import type { Command } from '../verdict/spins.ts';
import { followThread } from '../verdict/thread.ts';
import { answeredBy, describeSpins, playThrough } from './play-through.ts';

/** Each of them brings BSM and takes some out again each time a cashier goes. */
const MOVERS = 4;
/** Of the games that last; their wallets come from seeds behind everybody else's. */
const LASTING_PLAYERS = 4;
const LASTING_SEEDS_FROM = 500;
/** Rounds that every socket must have received before the first fault. */
const HEARD_AT_FIRST = 8;
const RECOVERY_TIMEOUT_MS = 120_000;
const GIVE_UP_MS = 180_000;
const LOOK_EVERY_MS = 100;
const REASON_LINES_MAX = 12;
const SERVICES = [
  ...['gateway', 'publisher', 'projector', 'cashier', 'auditor', 'admin'],
  ...['postgres', 'nats-health', 'chain'],
] as const;

export interface Trial {
  readonly compose: Compose;
  /** Role app. */
  readonly pool: pg.Pool;
  readonly rounds: number;
  readonly players: number;
  readonly seed: number;
  readonly acts: readonly Action[];
  /** What no log may hold, by name. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Plays on a project that was just started. @returns whether every check passed. */
export async function runTrial(trial: Trial): Promise<boolean> {
  const { compose, pool } = trial;
  const origins: string[] = [];
  const patient = {
    ...{ services: [], gateways: origins, natsUrl: compose.natsUrl },
    async settled() {
      for (const service of FOLLOWERS) await untilEachHasOne(compose, service);
    },
  };
  const onGateway = async () => {
    const gateways = await compose.containers('gateway');
    origins.splice(0, origins.length, ...(await Promise.all(gateways.map(originOf(compose)))));
  };
  await onGateway();
  const ill = await untilRecovered(patient, pool, RECOVERY_TIMEOUT_MS);
  if (ill.length > 0) throw new Error(`the start failed: ${ill.join('; ')}`);

  const giveUp = new AbortController();
  const crowd = await enter(trial, origins, giveUp.signal);
  const { players, lasting, purses, listener } = crowd;
  print(`money      ${purses.length} players brought BSM over the chain and changed it for points`);
  const faults = [...(await examinePages(origins))];
  faults.push(...(await play(trial, { ...crowd, patient, onGateway, giveUp })));
  const journals = [listener.journal, ...players.map(({ journal }) => journal)];
  faults.push(...[listener, ...lasting].flatMap(({ journal }) => journal.faults));
  faults.push(...(await examine(trial, { journals, purses, lasting })));
  faults.push(...(await examineContainers(trial)));
  const audit = await compose.command('audit');
  print(audit.output);
  if (!audit.ok) faults.push('the audit found the ledger faulty, or could not run');
  return conclude(`${trial.acts.length} acts`, 'nothing lost, doubled or left half', faults);
}

/** The image serves the player app. @returns faults. */
async function examinePages(origins: readonly string[]): Promise<readonly string[]> {
  const statuses = await Promise.all(origins.map(async (origin) => (await fetch(origin)).status));
  return statuses.filter((status) => status !== 200).map((status) => `GET / returned ${status}`);
}

const originOf =
  (compose: Compose) =>
  ({ id }: { readonly id: string }) =>
    compose.originOf(id);

type Crowd = Awaited<ReturnType<typeof enter>>;

/** Everybody comes with BSM of the faucet and has points to play with. */
async function enter(
  { compose, ...trial }: Trial,
  origins: readonly string[],
  giveUp: AbortSignal,
) {
  const create = (seed: number) => new Player({ origins, seed, giveUp });
  const several = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => create(trial.seed * 1_000 + from + index));
  const players = several(trial.players, 0);
  const listener = create(trial.seed);
  const lasting = several(LASTING_PLAYERS, LASTING_SEEDS_FROM);
  const purses = [...players, listener, ...lasting].map((player) => openPurse(compose, player));
  await Promise.all(purses.map((purse) => purse.fill()));
  return { players, lasting, purses, listener };
}

/** Plays until so many rounds are answered; the acts are spread over them. @returns faults. */
async function play(
  trial: Trial,
  o: Crowd & {
    readonly patient: Patient & { settled(): Promise<void> };
    readonly giveUp: AbortController;
    onGateway(): Promise<void>;
  },
): Promise<readonly string[]> {
  const { compose, pool, rounds } = trial;
  const { players, purses, patient, lasting, onGateway, giveUp } = o;
  const until = async (count: number) => {
    while (answeredBy(players) < count) await sleep(LOOK_EVERY_MS);
  };
  const begun = performance.now();
  const hear = (name: string, more: (n: number) => boolean) =>
    hearEverywhere({ name, origins: [...patient.gateways], player: o.listener, more });
  const hearings: ReturnType<typeof hear>[] = [];
  const { faults } = await playThrough({
    ...{ site: patient, pool, players, giveUp, recoverMs: GIVE_UP_MS },
    others: (stop) => lasting.map((one) => one.playLasting(stop)),
    async act(stop) {
      hearings.push(hear('early', (n) => n < HEARD_AT_FIRST));
      await hearings[0];
      for (const [index, act] of trial.acts.entries()) {
        await until(Math.floor((rounds * (index + 1)) / (trial.acts.length + 1)));
        const moving =
          act.service === 'cashier' ? purses.slice(0, MOVERS).map((purse) => purse.move()) : [];
        const tookMs = await perform({ compose, pool, onGateway }, act);
        await Promise.all(moving);
        const taken =
          tookMs === null ? '' : `; another acted after ${(tookMs / 1_000).toFixed(1)} s`;
        print(
          `${act.kind.padEnd(11)}${act.service}${taken}; ${answeredBy(players)} rounds answered`,
        );
        if (index > 0) continue;
        // Only the first act may be to a gateway: from then on no socket has a reason to close.
        const hearing = hear('late', () => !stop.aborted);
        hearing.catch(() => {});
        hearings.push(hearing);
      }
      await until(rounds);
    },
  });
  const heard = await Promise.all(hearings);
  print(
    `sockets    one on each of ${patient.gateways.length} gateways, through all but the first act, received all ` +
      `${heard.at(-1)?.rounds} rounds, wherever they were played`,
  );
  print(`played     in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  describeSpins(players);
  return [...faults, ...heard.flatMap((one) => one.faults)];
}

/** Compares ledger, stream and chain with what everybody knows. */
async function examine(
  { compose, pool }: Trial,
  o: Pick<Crowd, 'purses' | 'lasting'> & { readonly journals: readonly Journal[] },
): Promise<readonly string[]> {
  let commands = await readCommands(pool);
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
  const examineMoney = async () => {
    commands = await readCommands(pool);
    const all = [...commands.values()];
    return (await Promise.all(o.purses.map((purse) => purse.faults(all)))).flat();
  };
  // The last transfers may still be in flight.
  let faults = await examineMoney();
  while (faults.length > 0 && performance.now() < deadline) {
    await sleep(1_000);
    faults = await examineMoney();
  }
  const sum = (name: keyof Purse['counts']) =>
    o.purses.reduce((total, { counts }) => total + counts[name], 0);
  print(
    `chain      ${sum('deposits')} deposits credited and ${sum('withdrawals')} withdrawals paid, each once; ` +
      'every wallet has on the chain what it should',
  );
  const rounds = o.lasting.flatMap(({ journal }) => journal.rounds);
  const lasted = await examineRounds(pool, rounds);
  const reported = rounds.filter(({ ended }) => ended !== null).length;
  print(
    `lasting    ${rounds.length} rounds of tetris, snake and minesweeper paid what their seeds print, each ` +
      `once; ${reported} reported by their players, ${lasted.swept} ended by a gateway, ${lasted.lasting} not over yet`,
  );
  const thread = await followThread(
    compose,
    commands.values(),
    o.purses.flatMap((purse) => purse.withdrawals())[0] ?? 'none',
  );
  print(`thread     ${thread.text}`);
  const others = new Set(o.lasting.map(({ wallet }) => playerStream(wallet.address)));
  const isOther = (command: Command) => isMoney(command) || others.has(command[0]?.stream ?? '');
  const { natsUrl } = compose;
  const judged = await examineLedger({ pool, natsUrl, journals: o.journals, isOther });
  return [...faults, ...lasted.faults, ...thread.faults, ...judged];
}

/** Resolves when every health check is content, or after a while with those that are not. */
async function untilHealthy(compose: Compose): Promise<readonly string[]> {
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
  for (;;) {
    const ill: string[] = [];
    for (const service of SERVICES) {
      for (const { running, health } of await compose.containers(service)) {
        if (!running) ill.push(`a ${service} is down`);
        else if (health !== 'healthy') ill.push(`a ${service} is ${health}`);
      }
    }
    if (ill.length === 0 || performance.now() > deadline) return ill;
    await sleep(LOOK_EVERY_MS);
  }
}

/** No process ended unexpectedly, all are healthy, and no log contains a secret. */
async function examineContainers({ compose, secrets }: Trial): Promise<readonly string[]> {
  const faults = [...(await untilHealthy(compose))];
  let lines = 0;
  for (const service of SERVICES) {
    for (const { id, restarts } of await compose.containers(service)) {
      const log = await compose.logs(id);
      if (restarts > 0) {
        faults.push(`a ${service} ended unexpectedly ${restarts} times: ${reasonsIn(log)}`);
      }
      lines += log.split('\n').length;
      for (const [name, secret] of Object.entries(secrets)) {
        if (log.includes(secret)) faults.push(`the log of a ${service} contains ${name}`);
      }
    }
  }
  print(`logs       ${lines} lines contain none of ${Object.keys(secrets).join(', ')}`);
  return faults;
}

/** What a process prints of a failed start or a fault that ends it; all else in its log is information or a warning. */
function reasonsIn(log: string): string {
  const lines = log
    .split('\n')
    .filter((line) => line && !/"level":"?(trace|debug|info|warn|[1-4]0)/.test(line));
  return lines.slice(-REASON_LINES_MAX).join(' | ') || 'no reason in its log';
}
