import { readHead } from '@reelbook/event-store/read-log';
import type { Standby } from '@reelbook/event-store/standby';
import { MINUTE_MS } from '@reelbook/ledger/calendar';
import { type Asset, toDecimal, toText } from '@reelbook/ledger/money';
import { describeOverCap } from '@reelbook/ledger/treasury/in-flight';
import type pg from 'pg';
import { type AuditReport, auditLedger, auditSnapshot } from './audit.ts';
import { type ChainCompared, type ChainOrder, findLastSlot, reconcile } from './chain/reconcile.ts';
import { type Finding, groupFindings, type NextStep } from './findings.ts';
import type { Lucky } from './luck-pass.ts';
import { describeRestores } from './restores.ts';

/** CLEAN: everything is proven. UNPROVEN: no check failed, but not all could be compared. FAULTY: a check failed. */
export type Verdict = 'CLEAN' | 'UNPROVEN' | 'FAULTY';

/**
 * The audit of the command and of the console: the ledger, then its chain. The last final slot is read before the ledger,
 * so that the ledger can have everything that the chain has up to it.
 */
export async function auditWithChain(
  options: Parameters<typeof auditLedger>[0] & {
    readonly chain: ChainOrder;
    /** Reads the ledger in place of `pool`, once it has what the leader has now. */
    readonly standby?: Standby | null;
  },
): Promise<{ readonly report: AuditReport; readonly compared: ChainCompared }> {
  const { chain: order, pool, onProgress } = options;
  const lastSlot = await findLastSlot(order);
  const scans = await scanFaults(pool, lastSlot);
  const report = await auditOnce(options);
  const { ledgerSide: ledger, findings } = report;
  for (const fault of scans) findings.add('followers', null, fault);
  const compared = await reconcile({ ledger, lastSlot, order, findings, onProgress });
  return { report, compared };
}

async function auditOnce({ standby, ...options }: Parameters<typeof auditWithChain>[0]) {
  const { pool } = options;
  const audit = async (db: pg.Pool) => {
    const now = { ...options, nowMs: await databaseNowMs(pool) };
    return db === pool ? auditLedger(now) : auditSnapshot(db as unknown as pg.PoolClient, now);
  };
  return standby ? (await standby.read((await readHead(pool)).position, audit)).data : audit(pool);
}

/** Nodes differ in their last final slot; this is about an hour. */
const SLOTS_AHEAD_MAX = 10_000;

/** Scans of the treasury that claim to have reached a slot that the chain does not have. */
async function scanFaults(pool: pg.Pool, lastSlot: number | null): Promise<readonly string[]> {
  if (lastSlot === null) return [];
  const { rows } = await pool.query<{ account: string; slot: number }>(
    'select token_account as account, reached_slot as slot from treasury_scans where reached_slot > $1',
    [lastSlot + SLOTS_AHEAD_MAX],
  );
  return rows.map(
    ({ account, slot }) =>
      `the scan of ${account} has reached slot ${slot}; the last final slot is ${lastSlot}`,
  );
}

export function verdictOf({ findings }: AuditReport, unproven: readonly string[]): Verdict {
  if (findings.count > 0) return 'FAULTY';
  return unproven.length > 0 ? 'UNPROVEN' : 'CLEAN';
}

async function databaseNowMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  return rows[0]?.ms ?? Date.now();
}

const FINDING_LINES_MAX = 40;
/** Operators with voided rounds. */
const OPERATORS_SHOWN_MAX = 20;
const LUCKY_SHOWN_MAX = 20;
const REASONS_SHOWN_MAX = 10;

/**
 * The printed report. `projectionRows`: null when projections were skipped. `seconds`: the duration. `chain`: what was compared
 * with the chain, or why a copy is not compared.
 */
export function describeReport(
  report: AuditReport,
  projectionRows: number | null,
  seconds: number,
  chain: ChainCompared | string,
): string {
  const { rounds, seeds, luck, seals, findings } = report;
  const lines = [
    `ledger    ${count(report.events)} events in ${count(report.streams)} streams, head ${report.headHash}`,
    `rounds    ${count(rounds.checked)} recomputed from seeds and rules, ${count(rounds.awaitingReveal)} awaiting reveal, ${count(rounds.open)} open`,
    `seeds     ${count(seeds.unrevealed)} committed and not revealed${seeds.opened ? ', each opened or reported as a finding' : '; opened only with SEED_KEY'}`,
    ...describeVoids(report.voids),
    `luck      ${count(luck.players)} players, ${count(luck.count)} named as lucky beyond chance`,
    ...luck.named.slice(0, LUCKY_SHOWN_MAX).map(describeLuck),
    `seals     ${count(seals.count)} compared with the ledger, sealed up to #${count(seals.to)} of #${count(report.events)}`,
    `anchors   ${describeAnchors(report)}`,
    ...describeRestores(report.ledgerSide.restores),
    ...describeUnanchored(report, Date.now()),
    ...[...report.trialBalance].sort().map(([key, minor]) => {
      const [account = '', asset] = key.split(' ') as [string, Asset];
      return `balance   ${account.padEnd(12)} ${toDecimal(asset, minor).padStart(20)} ${asset}`;
    }),
  ];
  const { observedMinor, marginMinor, inFlightMinor, hotWalletMaxMinor } = report.treasury;
  const warning = describeOverCap(observedMinor, { hotWalletMaxTokenMinor: hotWalletMaxMinor });
  lines.push(
    `treasury  ${toText('token', observedMinor)} observed, ${toText('token', marginMinor)} more than owed`,
    `in flight ${toText('token', inFlightMinor)} seen on the chain and not recorded yet`,
    ...(warning === null ? [] : [`WARNING   ${warning}`]),
    `chain     ${describeChain(chain)}`,
    ...describeAccepted(chain),
    projectionRows === null
      ? 'replay    projections skipped'
      : `replay    ${count(projectionRows)} rows of projections compared with a replay from zero`,
  );
  const unproven = typeof chain === 'string' ? [] : chain.unproven;
  const took = `${report.mode} audit in ${seconds.toFixed(1)} s`;
  const reasons = unproven.slice(0, REASONS_SHOWN_MAX).map((reason) => `unproven  ${reason}`);
  switch (verdictOf(report, unproven)) {
    case 'CLEAN':
      return [...lines, `CLEAN     ${took}: every check passed`].join('\n');
    case 'UNPROVEN':
      lines.push(
        ...reasons,
        `UNPROVEN  ${took}: no check failed, and the chain was not compared completely`,
      );
      return lines.join('\n');
    case 'FAULTY':
      lines.push(...reasons, `FAULTY    ${took}: ${count(findings.count)} findings`);
  }
  return [...lines, ...describeGroups(findings)].join('\n');
}

/** A line per group of findings and per consequence, and where to go next. */
function describeGroups(findings: AuditReport['findings']): readonly string[] {
  const lines = groupFindings(findings).flatMap(({ cause, consequences, next }, index) => [
    `${index === 0 ? 'first' : 'cause'}     ${describe(cause)}`,
    ...consequences.map((one) => `          so ${describe(one)}`),
    `          next: ${describeNext(next, cause)}`,
  ]);
  const more = lines.length - FINDING_LINES_MAX;
  return more <= 0 ? lines : [...lines.slice(0, FINDING_LINES_MAX), `          and ${more} lines`];
}

function describeNext(next: NextStep, { position }: Finding): string {
  switch (next) {
    case 'event':
      return `npm run reelbook -- ledger show ${position}`;
    case 'projections':
      return 'npm run reelbook -- rebuild';
    case 'solvency':
      return 'npm run reelbook -- cashier solvency';
    case 'state':
      return 'compare this database with a backup (docs/operations.md)';
  }
}

/** A line per operator, the most voids first: a figure to look at, not a finding. */
function describeVoids(voids: AuditReport['voids']): readonly string[] {
  const all = [...voids].sort(([, a], [, b]) => b.count - a.count);
  const lines = all.slice(0, OPERATORS_SHOWN_MAX).map(([by, sum]) => {
    const [returned, paid] = [sum.returnedMinor, sum.wouldHavePaidMinor];
    const secret = sum.awaitingReveal === 0 ? '' : `, ${count(sum.awaitingReveal)} awaiting reveal`;
    const figures = `${toText('points', returned)} returned, would have paid ${toText('points', paid)}`;
    return `voids     ${count(sum.count)} by ${by}: ${figures}${secret}`;
  });
  const more = all.length - lines.length;
  return more === 0 ? lines : [...lines, `voids     and those of ${count(more)} more operators`];
}

function describeLuck({ player, rounds, oneIn }: Lucky): string {
  return `WARNING   luck: player ${player} won more in ${count(rounds)} rounds than chance allows 1 of ${count(oneIn)} players`;
}

function describeAnchors({ anchors }: AuditReport): string {
  if (anchors.count === 0) return 'none yet';
  return `${count(anchors.count)} recorded, up to seal ${count(anchors.seal)} and #${count(anchors.to)}`;
}

/** The events whose alteration the chain would not show. A ledger without a chain has no anchors. */
function describeUnanchored(report: AuditReport, nowMs: number): readonly string[] {
  const { anchors, events, ledgerSide } = report;
  if (ledgerSide.treasuries.length === 0 || anchors.to >= events) return [];
  const range = `#${count(anchors.to + 1)} to #${count(events)}, ${count(events - anchors.to)} events`;
  const age =
    anchors.time === null ? 'no anchor yet' : `the newest anchor ${ageOf(anchors.time, nowMs)} old`;
  return [`after     ${range}, ${age}: the chain does not show whether these were altered`];
}

function ageOf(time: string, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(time)) / MINUTE_MS));
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

function describeChain(chain: ChainCompared | string): string {
  if (typeof chain === 'string') return `not compared: ${chain}`;
  const { hasChain, unproven, transactions, found, older, underWay } = chain;
  if (!hasChain) return 'the ledger has none: points are play money and are not anchored';
  if (unproven.length > 0 && transactions === 0 && found === 0) return 'not compared';
  const rest = older === 0 ? '' : `, ${count(older)} older ones not looked up (--all)`;
  const way = underWay === 0 ? '' : `, ${count(underWay)} under way`;
  return `${count(transactions)} transactions of the treasury are in the ledger; ${count(found)} of the ledger are on the chain${rest}${way}`;
}

/** What the audit does not prove because TREASURY_TRANSFERS lists it. A transfer between two treasuries has both sides. */
function describeAccepted(chain: ChainCompared | string): readonly string[] {
  if (typeof chain === 'string' || chain.accepted.count === 0) return [];
  const { count: times, outMinor, inMinor } = chain.accepted;
  const [out, arrived] = [toText('token', outMinor), toText('token', inMinor)];
  return [
    `accepted  ${count(times)} of TREASURY_TRANSFERS on trust, in no event: ${out} left, ${arrived} arrived`,
  ];
}

function describe({ check, position, message }: Finding): string {
  return position === null ? `${check}: ${message}` : `#${position} ${check}: ${message}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
