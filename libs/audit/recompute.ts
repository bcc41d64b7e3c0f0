import { isDeepStrictEqual } from 'node:util';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { checkRound, drawBet } from '@reelbook/games/check';
import type { Drawn, Game } from '@reelbook/games/game';
import { findGame } from '@reelbook/games/rules';
import { toText } from '@reelbook/ledger/money';
import type pg from 'pg';
import { type Findings, type Progress, READABLE } from './findings.ts';
import type { CommittedSeed, DrawnBet, SettledRound, VoidedRound } from './rounds-pass.ts';

/** The voids of one operator: what was returned, and what the rounds would have paid. */
export interface VoidSum {
  count: number;
  returnedMinor: bigint;
  wouldHavePaidMinor: bigint;
  /** Those whose seed is still secret: the sum omits what they would have paid. */
  awaitingReveal: number;
}

/** Draws a settled round again from its seed and its rules; reports differences from the ledger. */
export function recompute(
  round: SettledRound,
  serverSeed: string,
  { findings, games }: { readonly findings: Findings; readonly games: readonly Game[] },
): void {
  const { placed, settled, payoutMinor, position } = round;
  const find = (id: string) => findGame(id, games);
  const check = checkRound({ ...placed, outcome: settled.outcome, payoutMinor }, serverSeed, find);
  if (!check.ok) {
    const drawn = check.drawn
      ? `: ${describeDifference(check.drawn, { outcome: settled.outcome, payoutMinor })}`
      : '';
    findings.add('rounds', position, `round ${placed.round}: ${check.fault}${drawn}`);
    return;
  }
  checkTicks(position, placed, { findings, ticks: ticksOf(check.drawn, find(placed.game)) });
}

/** What a voided round would have paid, from its seed and rules; null where they do not fit the bet, which is reported. */
export function drawVoided(
  { placed, position }: VoidedRound,
  serverSeed: string,
  { findings, games }: { readonly findings: Findings; readonly games: readonly Game[] },
): bigint | null {
  const find = (id: string) => findGame(id, games);
  const drawn = drawBet(placed, serverSeed, find);
  if (!drawn.ok) {
    findings.add('rounds', position, `voided round ${placed.round}: ${drawn.fault}`);
    return null;
  }
  checkTicks(position, placed, { findings, ticks: ticksOf(drawn.drawn, find(placed.game)) });
  return drawn.drawn.payoutMinor;
}

/** Equal outcomes are left out. */
function describeDifference(drawn: Drawn, recorded: Drawn): string {
  const isSame = isDeepStrictEqual(drawn.outcome, recorded.outcome);
  const describe = isSame
    ? ({ payoutMinor }: Drawn) => toText('points', payoutMinor)
    : describeDraw;
  return `the seeds give ${describe(drawn)}; the ledger has ${describe(recorded)}`;
}

function describeDraw({ outcome, payoutMinor }: Drawn): string {
  return `${JSON.stringify(outcome)} paying ${toText('points', payoutMinor)}`;
}

const ticksOf = ({ outcome }: Drawn, game: Game | null) => game?.timed?.ticksOf(outcome);

function checkTicks(
  position: number,
  { round, timed }: DrawnBet,
  { findings, ticks }: { readonly findings: Findings; readonly ticks: number | undefined },
): void {
  if (!timed || ticks === timed.ticks) return;
  const message = `round ${round} lasts ${timed.ticks} ticks; its seed gives ${ticks}`;
  findings.add('rounds', position, message);
}

const SEEDS_PER_READ = 1_000;

/** Opens every seed that is not revealed yet, if there is a vault; reports those that cannot be opened. Returns their number. */
export async function checkSeeds(
  seeds: Iterable<CommittedSeed>,
  options: {
    readonly vault: SeedVault | null;
    readonly findings: Findings;
    readonly onProgress: Progress;
  },
): Promise<number> {
  let count = 0;
  let waiting: CommittedSeed[] = [];
  const open = async () => {
    const faults = await options.vault?.findFaults(waiting.map(({ hash }) => hash));
    for (const { hash, owner, position } of waiting) {
      const fault = faults?.get(hash);
      if (!fault) continue;
      options.findings.add(
        'seeds',
        position,
        `the seed committed to player ${owner} is lost: ${fault}`,
        { row: hash },
      );
    }
    waiting = [];
    options.onProgress({ step: 'seeds', done: count, total: count });
  };
  for (const seed of seeds) {
    count++;
    waiting.push(seed);
    if (waiting.length === SEEDS_PER_READ) await open();
  }
  if (waiting.length > 0) await open();
  return count;
}

/** Seeds by hash: revealed ones from the ledger, the others from the vault if there is one. */
export class SeedLedger {
  private readonly known: Map<string, string>;
  private readonly vault: SeedVault | null;

  constructor(revealed: Map<string, string>, vault: SeedVault | null) {
    this.known = revealed;
    this.vault = vault;
  }

  /** Opens the seeds of the vault in parallel. One that cannot be opened fails only for its caller. */
  async fetch(hashes: readonly string[]): Promise<void> {
    await Promise.allSettled([...new Set(hashes)].map((hash) => this.find(hash)));
  }

  async find(hash: string): Promise<string | null> {
    const known = this.known.get(hash);
    if (known !== undefined) return known;
    if (!this.vault) return null;
    const seed = await this.vault.open(hash);
    this.known.set(hash, seed);
    return seed;
  }
}

export async function readRevealed(client: pg.PoolClient): Promise<Map<string, string>> {
  const { rows } = await client.query<{ hash: string; seed: string }>(
    `select body->'data'->>'serverSeedHash' as hash, body->'data'->>'serverSeed' as seed
     from events where type = 'SeedRevealed' and ${READABLE}`,
  );
  return new Map(rows.map((row) => [row.hash, row.seed]));
}
