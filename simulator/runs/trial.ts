import { setTimeout as sleep } from 'node:timers/promises';
import { playerStream } from '@reelbook/ledger/streams';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { hearEverywhere } from '../client/everywhere.ts';
import { createJournal, isAnswered, type Journal } from '../client/journal.ts';
import { examineRounds, type Known, playOn } from '../client/lasting.ts';
import { createPlayer } from '../client/player.ts';
import { isMoney, openPurse, type Purse } from '../client/purse.ts';
import { FOLLOWERS, untilEachHasOne } from '../faults/acting.ts';
import { type Act, perform } from '../faults/acts.ts';
import { createRandom } from '../faults/schedule.ts';
import type { Compose } from '../stages/compose.ts';
import { examineStream, untilHealed } from '../verdict/healed.ts';
import { readCommands } from '../verdict/ledger.ts';
import { judge } from '../verdict/spins.ts';
import { followThread } from '../verdict/thread.ts';

/** Each of them brings BSM and takes some out again each time a cashier goes. */
const MOVERS = 4;
/** Of the games that last; their wallets come from seeds behind everybody else's. */
const LASTING_PLAYERS = 4;
const LASTING_SEEDS_FROM = 500;
/** Rounds that every gateway's socket must have told of before anything is done. */
const HEARD_AT_FIRST = 8;
const HEAL_TIMEOUT_MS = 120_000;
const GIVE_UP_MS = 180_000;
const LOOK_EVERY_MS = 100;
const FAULTS_SHOWN_MAX = 20;
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
  readonly acts: readonly Act[];
  /** What no log may hold, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  say(text: string): void;
}

/** Plays on a project that was just started. @returns whether everything holds; all is told to `say`. */
export async function runTrial(trial: Trial): Promise<boolean> {
  const { compose, pool, say } = trial;
  const origins: string[] = [];
  const patient = { services: [], gateways: origins, natsUrl: compose.natsUrl };
  const onGateway = async () => {
    const gateways = await compose.containers('gateway');
    origins.splice(0, origins.length, ...(await Promise.all(gateways.map(originOf(compose)))));
  };
  const healed = () => untilHealed(patient, pool, HEAL_TIMEOUT_MS);
  await onGateway();
  const ill = [...(await healed())];
  if (ill.length > 0) throw new Error(`the start failed: ${ill.join('; ')}`);

  const crowd = await enter(trial, origins);
  const { players, lasting, purses, listener } = crowd;
  say(`money      ${purses.length} players brought BSM over the chain and changed it for points`);
  const faults = [...(await play(trial, { ...crowd, origins, onGateway }))];
  faults.push(...(await healed()));
  for (const service of FOLLOWERS) await untilEachHasOne(compose, service);
  const giveUp = AbortSignal.timeout(GIVE_UP_MS);
  const heard = await Promise.all(players.map((one) => one.spinAndHear(giveUp)));
  faults.push(...heard.flatMap((ms, n) => (ms === null ? [`player ${n} heard of no push`] : [])));
  for (const player of players) player.leave();
  faults.push(...(await healed()));
  const journals = [listener.journal, ...players.map(({ journal }) => journal)];
  faults.push(...journals.flatMap((journal) => journal.faults));
  faults.push(...(await examine(trial, { journals, purses, lasting })));
  faults.push(...(await examineContainers(trial)));
  const audit = await compose.command('audit');
  say(audit.output);
  if (!audit.ok) faults.push('the audit found the book faulty, or could not run');
  for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) say(`FAULT      ${fault}`);
  if (faults.length > 0) say(`FAULTY     ${faults.length} faults`);
  else say(`SOUND      ${trial.acts.length} acts: nothing lost, doubled or left half`);
  return faults.length === 0;
}

const originOf =
  (compose: Compose) =>
  ({ id }: { readonly id: string }) =>
    compose.originOf(id);

type Crowd = Awaited<ReturnType<typeof enter>>;

/** Everybody comes with BSM of the faucet and has points to play with. */
async function enter({ compose, ...trial }: Trial, origins: readonly string[]) {
  const seeds = Array.from({ length: trial.players }, (_, index) => trial.seed * 1_000 + index);
  const players = seeds.map((seed) => createPlayer({ origins, seed }));
  const wallet = createWallet(trial.seed);
  const listener = {
    ...{ wallet, journal: createJournal(wallet.address) },
    random: createRandom(trial.seed),
  };
  const lasting = Array.from({ length: LASTING_PLAYERS }, (_, index) => {
    const seed = trial.seed * 1_000 + LASTING_SEEDS_FROM + index;
    const wallet = createWallet(seed);
    return { wallet, journal: createJournal(wallet.address), random: createRandom(seed) };
  });
  const purses = [
    ...players.map(({ journal }, index) => {
      const seed = seeds[index] ?? 0;
      const wallet = createWallet(seed);
      return openPurse({ compose, origins, journal, wallet, random: createRandom(seed) });
    }),
    ...[listener, ...lasting].map((one) => openPurse({ compose, origins, ...one })),
  ];
  await Promise.all(purses.map((purse) => purse.fill()));
  return { players, lasting: { players: lasting, rounds: [] as Known[] }, purses, listener };
}

/** Plays until so many rounds are answered; the acts are spread over them. @returns faults. */
async function play(
  trial: Trial,
  o: Crowd & { readonly origins: readonly string[]; onGateway(): Promise<void> },
): Promise<readonly string[]> {
  const { compose, pool, rounds, say } = trial;
  const { players, purses, origins, lasting, onGateway } = o;
  const faults: string[] = [];
  const [stop, giveUp] = [new AbortController(), new AbortController()];
  const spins = () => players.flatMap(({ journal }) => journal.spins);
  const answered = () => spins().filter(isAnswered).length;
  const until = async (count: number) => {
    while (answered() < count) await sleep(LOOK_EVERY_MS);
  };
  const begun = performance.now();
  const playing = Promise.all([
    ...players.map((one) => one.play(stop.signal, giveUp.signal)),
    ...lasting.players.map((one) =>
      playOn({ origins, faults, rounds: lasting.rounds, stop: stop.signal, ...one }),
    ),
  ]);
  const hear = (name: string, more: (n: number) => boolean) =>
    hearEverywhere({ name, origins: [...origins], ...o.listener, more });
  const early = await hear('early', (n) => n < HEARD_AT_FIRST);
  // Only the first act may be to a gateway: from then on no socket has a reason to close.
  let hearing: ReturnType<typeof hear> | null = null;
  for (const [index, act] of trial.acts.entries()) {
    await until(Math.floor((rounds * (index + 1)) / (trial.acts.length + 1)));
    const moving =
      act.service === 'cashier' ? purses.slice(0, MOVERS).map((purse) => purse.move()) : [];
    const tookMs = await perform({ compose, pool, onGateway }, act);
    await Promise.all(moving);
    const taken = tookMs === null ? '' : `; another acted after ${(tookMs / 1_000).toFixed(1)} s`;
    say(`${act.kind.padEnd(11)}${act.service}${taken}; ${answered()} rounds answered`);
    if (index > 0) continue;
    hearing = hear('late', () => !stop.signal.aborted);
    hearing.catch(() => {});
  }
  await until(rounds);
  stop.abort();
  const late = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  await playing;
  clearTimeout(late);
  const heard = await hearing;
  faults.push(...early.faults, ...(heard?.faults ?? []));
  say(
    `sockets    one on each of ${origins.length} gateways, through all but the first act, told of all ` +
      `${heard?.rounds} rounds, wherever they were played`,
  );
  const seconds = (performance.now() - begun) / 1_000;
  const longest = Math.max(0, ...spins().map(({ waitedMs }) => waitedMs)) / 1_000;
  say(
    `rounds     ${answered()} answered of ${spins().length} in ${seconds.toFixed(0)} s; ` +
      `the longest wait for an answer was ${longest.toFixed(1)} s`,
  );
  return faults;
}

/** Compares book, stream and chain with what everybody knows. */
async function examine(
  { compose, pool, say }: Trial,
  o: Pick<Crowd, 'purses' | 'lasting'> & { readonly journals: readonly Journal[] },
): Promise<readonly string[]> {
  let commands = await readCommands(pool);
  const deadline = performance.now() + HEAL_TIMEOUT_MS;
  const examineMoney = async () => {
    commands = await readCommands(pool);
    const all = [...commands.values()];
    return (await Promise.all(o.purses.map((purse) => purse.faults(all)))).flat();
  };
  // What was asked for last is still on its way over the chain.
  let faults = await examineMoney();
  while (faults.length > 0 && performance.now() < deadline) {
    await sleep(1_000);
    faults = await examineMoney();
  }
  const sum = (name: keyof Purse['counts']) =>
    o.purses.reduce((total, { counts }) => total + counts[name], 0);
  say(
    `chain      ${sum('deposits')} deposits credited and ${sum('withdrawals')} withdrawals paid, each once; ` +
      'every wallet has on the chain what it should',
  );
  const lasted = await examineRounds(pool, o.lasting.rounds);
  const reported = o.lasting.rounds.filter(({ ended }) => ended !== null).length;
  say(
    `lasting    ${o.lasting.rounds.length} rounds of tetris, snake and minesweeper paid what their seeds say, each ` +
      `once; ${reported} reported by their players, ${lasted.swept} ended by a gateway, ${lasted.lasting} not over yet`,
  );
  const thread = await followThread(
    compose,
    commands.values(),
    o.purses.flatMap((purse) => purse.withdrawals())[0] ?? 'none',
  );
  say(`thread     ${thread.told}`);
  const others = new Set(o.lasting.players.map(({ wallet }) => playerStream(wallet.address)));
  const rest = [...commands.values()].filter(
    (command) => !isMoney(command) && !others.has(command[0]?.stream ?? ''),
  );
  const { tally, faults: judged } = judge(rest, o.journals);
  say(
    `book       ${tally.proven} rounds stand in it once, exactly as they were answered; ` +
      `${tally.rotations} rotations, ${tally.logins} logins, nothing that nobody asked for`,
  );
  const stream = await examineStream(compose.natsUrl, pool);
  // Read once more: seals and anchors are set whenever it is their time.
  commands = await readCommands(pool);
  if (stream.commands !== commands.size) {
    faults.push(`the stream has ${stream.commands} of ${commands.size} commands`);
  }
  say(`stream     ${stream.commands} of ${commands.size} commands, in order, to the head`);
  return [...faults, ...lasted.faults, ...thread.faults, ...judged, ...stream.faults];
}

/** Resolves when every health check is content, or after a while with those that are not. */
async function untilHealthy(compose: Compose): Promise<readonly string[]> {
  const deadline = performance.now() + HEAL_TIMEOUT_MS;
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

/** Nothing ended by itself, all are well, and no log holds a secret. */
async function examineContainers({ compose, secrets, say }: Trial): Promise<readonly string[]> {
  const faults = [...(await untilHealthy(compose))];
  let lines = 0;
  for (const service of SERVICES) {
    for (const { id, restarts } of await compose.containers(service)) {
      const log = await compose.logs(id);
      if (restarts > 0) {
        faults.push(`a ${service} ended by itself ${restarts} times: ${reasonsIn(log)}`);
      }
      lines += log.split('\n').length;
      for (const [name, secret] of Object.entries(secrets)) {
        if (log.includes(secret)) faults.push(`the log of a ${service} holds ${name}`);
      }
    }
  }
  say(`logs       ${lines} lines hold none of ${Object.keys(secrets).join(', ')}`);
  return faults;
}

/** What a process prints of a failed start or a fault that ends it; all else in its log is information or a warning. */
function reasonsIn(log: string): string {
  const lines = log
    .split('\n')
    .filter((line) => line && !/"level":"?(trace|debug|info|warn|[1-4]0)/.test(line));
  return lines.slice(-REASON_LINES_MAX).join(' | ') || 'no reason in its log';
}
