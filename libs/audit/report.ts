import { type Asset, toDecimal, toText } from '@reelbook/ledger/money';
import { describeOverCap } from '@reelbook/ledger/treasury/hot-wallet';
import type { AnchorsCompared } from './anchors-on-chain.ts';
import type { AuditReport } from './audit.ts';
import type { Finding } from './findings.ts';
import type { LuckReport, Lucky } from './luck-pass.ts';

const FINDINGS_SHOWN_MAX = 20;
/** Operators who voided rounds. */
const OPERATORS_SHOWN_MAX = 20;
const LUCKY_SHOWN_MAX = 20;

/**
 * The report for people. `readModelRows`: null when they were left out. `seconds`: how long it took. `anchors`: what the
 * chain has of them, or why it was not asked.
 */
export function describeReport(
  report: AuditReport,
  readModelRows: number | null,
  seconds: number,
  anchors: AnchorsCompared | string,
): string {
  const { rounds, seeds, luck, seals, findings } = report;
  const lines = [
    `book      ${count(report.events)} events in ${count(report.streams)} streams, head ${report.headHash}`,
    `rounds    ${count(rounds.checked)} recomputed from seeds and rules, ${count(rounds.awaitingReveal)} awaiting reveal, ${count(rounds.open)} open`,
    `seeds     ${count(seeds.unrevealed)} committed and not revealed${seeds.opened ? ', each opened or named as a finding' : '; opened only with SEED_KEY'}`,
    ...describeVoids(report.voids),
    `luck      ${count(luck.players)} players, ${count(luck.count)} named as lucky beyond chance`,
    ...luck.named.slice(0, LUCKY_SHOWN_MAX).map((one) => describeLuck(one, luck)),
    `seals     ${count(seals.count)} compared with the book, sealed up to #${count(seals.to)} of #${count(report.events)}`,
    `anchors   ${describeAnchors(report.anchors, anchors)}`,
    ...[...report.trialBalance].sort().map(([key, minor]) => {
      const [account = '', asset] = key.split(' ') as [string, Asset];
      return `balance   ${account.padEnd(12)} ${toDecimal(asset, minor).padStart(20)} ${asset}`;
    }),
  ];
  const { observedMinor, marginMinor, inFlightMinor, hotWalletMaxMinor } = report.treasury;
  const warning = describeOverCap(observedMinor, { hotWalletMaxTokenMinor: hotWalletMaxMinor });
  lines.push(
    `treasury  ${toText('token', observedMinor)} observed, ${toText('token', marginMinor)} more than is owed`,
    `in flight ${toText('token', inFlightMinor)} seen on the chain and not booked yet`,
    ...(warning === null ? [] : [`WARNING   ${warning}`]),
    readModelRows === null
      ? 'models    left out'
      : `models    ${count(readModelRows)} rows of read models compared with a replay from zero`,
  );
  const first = findings.first();
  if (!first) {
    lines.push(`CLEAN     ${report.mode} audit in ${seconds.toFixed(1)} s: every check holds`);
    return lines.join('\n');
  }
  lines.push(
    `FAULTY    ${report.mode} audit in ${seconds.toFixed(1)} s: ${count(findings.count)} findings`,
  );
  lines.push(`first     ${describe(first)}`);
  for (const finding of findings.kept.filter((one) => one !== first).slice(0, FINDINGS_SHOWN_MAX)) {
    lines.push(`          ${describe(finding)}`);
  }
  return lines.join('\n');
}

/** A line an operator: a figure to look at, and no finding by itself. The most first. */
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

function describeLuck({ player, rounds, eValue }: Lucky, { threshold, alpha }: LuckReport): string {
  return `WARNING   luck: player ${player}, e-value ${eValue} in ${count(rounds)} rounds; from ${threshold} on chance names anybody in 1 audit of ${count(1 / alpha)}`;
}

function describeAnchors(
  { count: all, seal }: AuditReport['anchors'],
  compared: AnchorsCompared | string,
): string {
  if (all === 0) return 'none yet';
  const covered = `${count(all)} on the chain by the book, up to seal ${count(seal)}; `;
  if (typeof compared === 'string') return `${covered}not looked up: ${compared}`;
  const { seen, forgotten } = compared;
  const old = forgotten === 0 ? '' : `, ${count(forgotten)} older than the RPC remembers`;
  return `${covered}the newest ${count(seen + forgotten)} looked up there${old}`;
}

function describe({ check, position, message }: Finding): string {
  return position === null ? `${check}: ${message}` : `#${position} ${check}: ${message}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
