import { choiceProblem } from '@reelbook/games/choice';
import { numberOf } from '@reelbook/games/fraction';
import { type Game, paidMinor } from '@reelbook/games/game';
import { games as allGames, findGame } from '@reelbook/games/rules';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import type { AuditedEvent } from './terms-pass.ts';

/** An honest site names one or more players in this share of its audits, at most. */
const ALPHA = 0.01;
/** Share of the value that a round of the largest stake so far stakes on its payout. */
const TILT = 1 / 4;
/** A stake this many times the previous largest starts again: results at stakes that small are no evidence either way. */
const RESTART_GROWTH = 2;
/** So does this number of rounds: else knowledge of draws would first have to make up for long play by chance. */
const RESTART_ROUNDS = 250;
/** Named players in the report, the luckiest first; more are only counted. */
const NAMED_KEPT_MAX = 100;
/** Game, rules, choice and stake; as many entries as stakes in use. */
const MEANS_KEPT_MAX = 10_000;
const ONE_IN_MAX = 10 ** 15;

/** A player who wins more than chance allows. */
export interface Lucky {
  readonly player: string;
  readonly rounds: number;
  /** By chance, at most one of so many players is ever as lucky; at most `ONE_IN_MAX`. */
  readonly oneIn: number;
}

export interface LuckReport {
  /** Players with at least one round. */
  readonly players: number;
  readonly count: number;
  readonly named: readonly Lucky[];
}

interface StakedRound {
  /** TILT times the stake over the largest so far. */
  readonly weight: number;
  readonly mean: number;
}

/**
 * One player's luck, by a test martingale that begins with 1. Each round multiplies it by 1 + r (X - m), where X is payout
 * over stake, m its mean by the published odds, and r is TILT times the stake over the player's largest stake so far. Both
 * are known before the draw, so each factor has the expectation 1 for any stakes and any time of stopping: the value ever
 * reaches k with a probability of at most 1/k (Ville). Only a player who knows draws before the stake, or chooses which
 * rounds count, can make it grow. Values are logarithms.
 */
export class Luck {
  rounds = 0;
  /** The largest value: a player who was named stays named after later losses. */
  most = 0;
  private inPlay = Number.NEGATIVE_INFINITY;
  private starts = 0;
  /** Stakes since the last start. */
  private since = 0;
  private largest = 0;

  /** A round counts as lost until it ends. `mean`: of payout over stake. */
  stake(stake: number, mean: number): StakedRound {
    if (stake >= RESTART_GROWTH * this.largest || this.since === RESTART_ROUNDS) {
      this.since = 0;
      this.starts++;
      // The nth start puts 1/n - 1/(n + 1) of the initial 1 into play.
      this.inPlay = addLogs(this.inPlay, -Math.log(this.starts * (this.starts + 1)));
    }
    this.since++;
    this.largest = Math.max(this.largest, stake);
    const weight = (TILT * stake) / this.largest;
    this.inPlay += Math.log1p(-weight * mean);
    return { weight, mean };
  }

  /** `multiple`: payout over stake. */
  settle(staked: StakedRound, multiple: number): void {
    this.rounds++;
    this.void(staked);
    this.inPlay += Math.log1p(staked.weight * (multiple - staked.mean));
    this.most = Math.max(this.most, this.value());
  }

  /** A voided round counts as never staked: a player whose lost rounds are voided is lucky with the others. */
  void({ weight, mean }: StakedRound): void {
    this.inPlay -= Math.log1p(-weight * mean);
  }

  value(): number {
    return addLogs(this.inPlay, -Math.log(this.starts + 1));
  }
}

/** The value from which one of this number of players is named: their number over alpha. */
export const namedFrom = (players: number): number => Math.log(players / ALPHA);

/** The logarithm of the sum of two numbers given as logarithms, the second of them finite. */
function addLogs(a: number, b: number): number {
  const [less, more] = a < b ? [a, b] : [b, a];
  return more + Math.log1p(Math.exp(less - more));
}

interface OpenRound extends StakedRound {
  readonly round: string;
  readonly stakeMinor: bigint;
}

/** Follows every player's luck. Memory per player is a few numbers, regardless of rounds played. */
export class LuckPass {
  private readonly players = new Map<string, Luck>();
  /** By player and game: a player has one open round of a game at most. */
  private readonly open = new Map<string, OpenRound>();
  private readonly means = new Map<string, number | null>();
  private readonly games: readonly Game[];

  constructor(games: readonly Game[] = allGames) {
    this.games = games;
  }

  next({ event, owner }: Pick<AuditedEvent, 'event' | 'owner'>): void {
    if (event.type === 'BetPlaced') this.stake(owner, event.data);
    if (event.type !== 'BetWon' && event.type !== 'BetLost' && event.type !== 'BetVoided') return;
    const key = `${owner} ${event.data.game}`;
    const [open, luck] = [this.open.get(key), this.players.get(owner)];
    if (!luck || open?.round !== event.data.round) return;
    this.open.delete(key);
    const paidMinor = event.type === 'BetWon' ? event.data.payoutMinor : 0n;
    if (event.type === 'BetVoided') luck.void(open);
    else luck.settle(open, Number(paidMinor) / Number(open.stakeMinor));
  }

  report(): LuckReport {
    const players = [...this.players].filter(([, { rounds }]) => rounds > 0);
    const named = players
      .filter(([, { most }]) => most >= namedFrom(players.length))
      .sort(([, a], [, b]) => b.most - a.most)
      .map(([player, { rounds, most }]) => {
        const oneIn = Math.min(ONE_IN_MAX, Math.floor(Math.exp(most)));
        return { player, rounds, oneIn };
      });
    return { players: players.length, count: named.length, named: named.slice(0, NAMED_KEPT_MAX) };
  }

  private stake(owner: string, placed: BetPlaced['data']): void {
    const { game, round, stakeMinor } = placed;
    const mean = this.meanOf(placed);
    // Unknown rules and choices have no odds; that round is another check's finding.
    if (mean === null) return;
    const luck = this.players.get(owner) ?? new Luck();
    this.players.set(owner, luck);
    const staked = luck.stake(Number(stakeMinor), mean);
    this.open.set(`${owner} ${game}`, { ...staked, round, stakeMinor });
  }

  /** Of payout over stake, at this stake. */
  private meanOf(placed: BetPlaced['data']): number | null {
    const { game, rules, choice, stakeMinor } = placed;
    const key = `${game} ${rules} ${stakeMinor} ${JSON.stringify(choice)}`;
    const known = this.means.get(key);
    if (known !== undefined) return known;
    if (this.means.size === MEANS_KEPT_MAX) this.means.clear();
    const mean = stakeMinor > 0n ? meanPaid(findGame(game, this.games), placed) : null;
    this.means.set(key, mean);
    return mean;
  }
}

function meanPaid(
  game: Game | null,
  { rules, choice, stakeMinor }: BetPlaced['data'],
): number | null {
  if (!game?.rulesIds.includes(rules) || choiceProblem(game, choice)) return null;
  const { paytable, maxWinMinor } = game.odds(rules, choice);
  const paid = paytable.map(
    (row) => numberOf(row.chance) * Number(paidMinor(row, { stakeMinor, maxWinMinor })),
  );
  return paid.reduce((sum, one) => sum + one, 0) / Number(stakeMinor);
}
