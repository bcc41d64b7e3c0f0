import { catalogueFaults } from '@reelbook/event-store/catalogue';
import { positionFaults } from '@reelbook/event-store/integrity';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import type { Game } from '@reelbook/games/game';
import { games as allGames, distinctGames } from '@reelbook/games/rules';
import { isEventType } from '@reelbook/ledger/event-types';
import { treasuryFaults } from '@reelbook/ledger/treasury/in-flight';
import { mayWrite } from '@reelbook/ledger/writers';
import type pg from 'pg';
import { LedgerSide } from './chain/ledger-side.ts';
import { ConsolePass } from './console-pass.ts';
import {
  checkHead,
  checkIdempotencyKeys,
  checkSessions,
  checkStreams,
} from './current-state-checks.ts';
import { Findings, Pass, type Progress, readTouched, TOKEN_MOVED } from './findings.ts';
import { type EventRow, LedgerPass } from './ledger-pass.ts';
import { LuckPass, type LuckReport } from './luck-pass.ts';
import { OperatorsPass } from './operators-pass.ts';
import { MovementsPass, PaymentsPass } from './payments-pass.ts';
import { ProtectionPass } from './protection-pass.ts';
import {
  checkSeeds,
  drawVoided,
  readRevealed,
  recompute,
  SeedLedger,
  type VoidSum,
} from './recompute.ts';
import { checkRestores } from './restores.ts';
import { RoundsPass, type SettledRound, type VoidedRound, VoidsPass } from './rounds-pass.ts';
import { AnchorsPass, checkSealsDue, SealsPass } from './seals-pass.ts';
import { type AuditedEvent, TermsPass } from './terms-pass.ts';

/**
 * Each event is by its player, by a part of the system that writes its type, or by an operator, whom the operators pass
 * checks. It cannot prove that the named part wrote it: see docs/insiders.md.
 */
class ActorsPass extends Pass {
  next({ event: { type }, actor, owner, position }: AuditedEvent): void {
    if (actor.startsWith('operator:') || !isEventType(type) || mayWrite(actor, type, owner)) return;
    this.findings.add('actors', position, `${type} by ${actor}, which may not write it`);
  }
}

/** Events per read: enough to keep the database busy while this process checks, few enough for memory. */
const EVENTS_PER_READ = 5_000;

/** Events may be written between the read of the clock and the ledger's snapshot. */
const AHEAD_MS_MAX = 60_000;

export interface AuditReport {
  readonly mode: 'public' | 'operator';
  readonly events: number;
  readonly streams: number;
  readonly headHash: string;
  readonly rounds: { checked: number; awaitingReveal: number; open: number };
  /** By operator, as the actor of the void. */
  readonly voids: ReadonlyMap<string, VoidSum>;
  /** Players whose result is beyond chance: no finding, since the ledger may be intact. */
  readonly luck: LuckReport;
  /** Seeds that are committed and not revealed; `opened`: each was opened, which takes a vault. */
  readonly seeds: { readonly unrevealed: number; readonly opened: boolean };
  /** Their number, and the last sealed position. */
  readonly seals: { readonly count: number; readonly to: number };
  /** Their number, the newest seal and the last position that they cover, and when the newest was recorded. */
  readonly anchors: {
    readonly count: number;
    readonly seal: number;
    readonly to: number;
    readonly time: string | null;
  };
  /** What the ledger states about the chain, for `chain/reconcile.ts`. */
  readonly ledgerSide: LedgerSide;
  /** In minor units of token: the treasury's last observed balance, and the part of it that covers nothing yet. */
  readonly treasury: {
    readonly observedMinor: bigint;
    readonly marginMinor: bigint;
    /** The configured maximum balance; 0: no cap. More is a warning and no finding. */
    readonly hotWalletMaxMinor: bigint;
    /** Seen on the chain and not recorded yet, less recorded and not seen. */
    readonly inFlightMinor: bigint;
  };
  /** `players points` and the like: account, asset, minor units. */
  readonly trialBalance: ReadonlyMap<string, bigint>;
  readonly findings: Findings;
}

/**
 * Audits the complete ledger of one snapshot, while appends continue: order, chain, columns, money, states, seeds, rounds,
 * idempotency keys, streams and the catalogue of the database. With a vault (operator mode) it also recomputes rounds whose seed is not revealed yet and
 * opens every seed that is not revealed; without one (public mode) it counts them.
 */
export async function auditLedger(options: {
  pool: pg.Pool;
  vault: SeedVault | null;
  onProgress: Progress;
  /** The games that could be played; default: all. */
  games?: readonly Game[];
  /** The time at which money is in flight for too long; default: that of the last event, as for a copy. */
  nowMs?: number;
}): Promise<AuditReport> {
  const client = await options.pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const report = await auditSnapshot(client, options);
    await client.query('commit');
    client.release();
    return report;
  } catch (error) {
    client.release(true); // not back to the pool with a transaction open
    throw error;
  }
}

type AuditOptions = Parameters<typeof auditLedger>[0];

/** Like `auditLedger`, within a transaction that has a snapshot. */
export async function auditSnapshot(
  client: pg.PoolClient,
  options: AuditOptions,
): Promise<AuditReport> {
  // Read only, so a policy may run: what it hides is a finding of the catalogue.
  await client.query('set local row_security = on; set local statement_timeout = 0');
  const report = await auditAll(client, options);
  for (const fault of await catalogueFaults(client)) {
    // A policy acts only with the row security of its table.
    const row = fault.replace(/: (row security|policy \S+) is .*$/, ': policies');
    report.findings.add('catalogue', null, fault, { row });
  }
  return report;
}

async function auditAll(
  client: pg.PoolClient,
  { vault, onProgress, games = allGames, nowMs }: AuditOptions,
): Promise<AuditReport> {
  const findings = new Findings();
  const passes = createPasses(findings, distinctGames(games));
  const { roundsPass, luckPass, sealsPass, anchorsPass, movementsPass, ledgerSide } = passes;
  const pass = new LedgerPass(findings, passes.next);
  const total = await countEvents(client);
  const seeds = new SeedLedger(await readRevealed(client), vault);
  const rounds = { checked: 0, awaitingReveal: 0, open: 0 };
  const voids = new Map<string, VoidSum>();

  onProgress({ step: 'ledger and rounds', done: 0, total });
  let reading = readEvents(client, 0);
  for (;;) {
    const rows = await reading;
    const last = rows.at(-1);
    if (!last) break;
    // The next read runs while this one is checked.
    reading = readEvents(client, last.position);
    for (const row of rows) pass.next(row);
    const settled = roundsPass.take();
    const voided = roundsPass.takeVoided();
    await seeds.fetch([...settled, ...voided].map(({ placed }) => placed.serverSeedHash));
    for (const round of settled) await checkRound(round, seeds, rounds, { findings, games });
    for (const round of voided) await addVoid(round, seeds, voids, { findings, games });
    onProgress({ step: 'ledger and rounds', done: pass.position, total });
  }
  rounds.open = roundsPass.finish();
  const unrevealed = await checkSeeds(roundsPass.unrevealed(), { vault, findings, onProgress });

  const { count } = sealsPass;
  onProgress({ step: 'seals', done: 0, total: count });
  await sealsPass.check(client, (done) => onProgress({ step: 'seals', done, total: count }));

  const { position: head, time } = pass;
  await checkSealsDue(client, { sealedTo: sealsPass.to, head, time }, findings);
  checkTreasury(pass, nowMs ?? Date.parse(time), findings);
  if (nowMs !== undefined && Date.parse(time) > nowMs + AHEAD_MS_MAX) {
    findings.add('columns', head, `the time ${time} of the last event is in the future`);
  }

  onProgress({ step: 'head, idempotency keys and streams', done: 0, total: pass.streams.size });
  await checkHead(client, pass, findings);
  await checkIdempotencyKeys(client, findings);
  await movementsPass.check(client);
  await checkRestores(client, ledgerSide.restores, findings);
  await checkSessions(client, findings);
  const checked = await checkStreams(client, pass, findings);
  for (const fault of await positionFaults(client)) {
    const at = fault.replace(/^.* is at (#\d+); .*$/, '$1');
    findings.add('followers', null, fault, { row: at, touches: [at] });
  }
  findings.touched = await readTouched(client, findings.kept);
  onProgress({
    step: 'head, idempotency keys and streams',
    done: checked,
    total: pass.streams.size,
  });
  return {
    mode: vault ? 'operator' : 'public',
    events: pass.position,
    streams: pass.streams.size,
    headHash: pass.hash.toString('hex'),
    rounds,
    voids,
    luck: luckPass.report(),
    seeds: { unrevealed, opened: vault !== null },
    seals: { count, to: sealsPass.to },
    anchors: {
      count: anchorsPass.count,
      seal: anchorsPass.seal,
      to: anchorsPass.to,
      time: anchorsPass.time,
    },
    ledgerSide,
    treasury: {
      observedMinor: pass.treasuryMinor,
      marginMinor: pass.tokenMarginMinor,
      hotWalletMaxMinor: pass.hotWalletMaxMinor,
      inFlightMinor: pass.inFlight.nowMinor,
    },
    trialBalance: pass.balances,
    findings,
  };
}

/** The checks after the pass over the events. */
function createPasses(findings: Findings, games: readonly Game[]) {
  const named = {
    roundsPass: new RoundsPass(findings),
    luckPass: new LuckPass(games),
    sealsPass: new SealsPass(findings),
    anchorsPass: new AnchorsPass(findings),
    movementsPass: new MovementsPass(findings),
    ledgerSide: new LedgerSide(),
  };
  const all: readonly { next(audited: AuditedEvent): void }[] = [
    new TermsPass(findings),
    new PaymentsPass(findings),
    new ProtectionPass(findings),
    new OperatorsPass(findings),
    new ConsolePass(findings),
    new ActorsPass(findings),
    new VoidsPass(findings),
    ...Object.values(named),
  ];
  const next = (audited: AuditedEvent) => {
    for (const pass of all) pass.next(audited);
  };
  return { ...named, next };
}

/** The treasury by the ledger alone; `npm run reelbook -- cashier solvency` prints the same figures. */
function checkTreasury(pass: LedgerPass, nowMs: number, findings: Findings): void {
  const faults = treasuryFaults({
    stuckMinor: pass.inFlight.stuckMinor(nowMs),
    marginMinor: pass.tokenMarginMinor,
  });
  const details = { row: 'treasury', touches: [TOKEN_MOVED] };
  for (const fault of faults) findings.add('treasury', null, fault, details);
}

async function checkRound(
  round: SettledRound,
  seeds: SeedLedger,
  rounds: AuditReport['rounds'],
  { findings, games }: { readonly findings: Findings; readonly games: readonly Game[] },
): Promise<void> {
  const { serverSeedHash } = round.placed;
  try {
    const seed = await seeds.find(serverSeedHash);
    if (seed === null) {
      rounds.awaitingReveal++;
      return;
    }
    rounds.checked++;
    recompute(round, seed, { findings, games });
  } catch (error) {
    const message = `its seed is not available: ${String(error)}`;
    findings.add('rounds', round.position, message, { row: serverSeedHash });
  }
}

async function addVoid(
  round: VoidedRound,
  seeds: SeedLedger,
  voids: Map<string, VoidSum>,
  options: { readonly findings: Findings; readonly games: readonly Game[] },
): Promise<void> {
  const { placed, by, position } = round;
  const nothing = { count: 0, returnedMinor: 0n, wouldHavePaidMinor: 0n, awaitingReveal: 0 };
  const sum = voids.get(by) ?? nothing;
  voids.set(by, sum);
  sum.count++;
  sum.returnedMinor += placed.stakeMinor;
  try {
    const seed = await seeds.find(placed.serverSeedHash);
    if (seed === null) sum.awaitingReveal++;
    else sum.wouldHavePaidMinor += drawVoided(round, seed, options) ?? 0n;
  } catch (error) {
    const message = `its seed is not available: ${String(error)}`;
    options.findings.add('rounds', position, message, { row: placed.serverSeedHash });
  }
}

async function countEvents(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ position: number }>('select position from ledger_head');
  return rows[0]?.position ?? 0;
}

async function readEvents(client: pg.PoolClient, after: number): Promise<EventRow[]> {
  const { rows } = await client.query<EventRow>({
    name: 'audit-read',
    // A number beyond the integers that JavaScript counts exactly differs from the body.
    text: `select least(position, $3) as position, least(first_position, $3) as first_position, stream,
        least(version, $3) as version, type, body, hash, recorded_at
      from events where position > $1 and $1 < $3 order by position limit $2`,
    values: [after, EVENTS_PER_READ, Number.MAX_SAFE_INTEGER],
  });
  return rows;
}
