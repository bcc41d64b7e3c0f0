import { choiceProblem } from '@reelbook/games/choice';
import type { Game, Odds } from '@reelbook/games/game';
import { games as allGames, findGame } from '@reelbook/games/rules';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { ALPHA, Chances, Luck, type StakedRound, thresholdLog } from './luck.ts';
import type { AuditedEvent } from './terms-pass.ts';

/** Named players in the report, the luckiest first; more are only counted. */
const NAMED_KEPT_MAX = 100;
/** Game, rules, choice and stake; as many entries as stakes in use. */
const CHANCES_KEPT_MAX = 10_000;

/** A player whose result is beyond chance. */
export interface Lucky {
  readonly player: string;
  readonly rounds: number;
  /** The largest value that the e-value reached, as text: `3.1e9`. */
  readonly eValue: string;
}

export interface LuckReport {
  /** Players with at least one round. */
  readonly players: number;
  /** The share of audits in which an honest site names a player, at most. */
  readonly alpha: number;
  /** The e-value from which a player is named: players divided by alpha. */
  readonly threshold: string;
  readonly count: number;
  readonly named: readonly Lucky[];
}

interface OpenRound extends StakedRound {
  readonly round: string;
  readonly stakeMinor: bigint;
}

/** Follows every player's luck, see luck.ts. Memory per player is a few numbers, regardless of rounds played. */
export class LuckPass {
  private readonly players = new Map<string, Luck>();
  /** By player and game: a player has one open round of a game at most. */
  private readonly open = new Map<string, OpenRound>();
  private readonly odds = new Map<string, Odds>();
  private readonly chances = new Map<string, Chances>();
  private readonly games: readonly Game[];

  constructor(games: readonly Game[] = allGames) {
    this.games = games;
  }

  next({ event, owner }: Pick<AuditedEvent, 'event' | 'owner'>): void {
    switch (event.type) {
      case 'BetPlaced':
        this.stake(owner, event.data);
        return;
      case 'BetWon':
        this.settle(owner, event.data, event.data.payoutMinor);
        return;
      case 'BetLost':
        this.settle(owner, event.data, 0n);
        return;
      case 'BetVoided': {
        const open = this.take(owner, event.data);
        if (open) this.players.get(owner)?.void(open);
        return;
      }
      default:
        return;
    }
  }

  report(): LuckReport {
    const players = [...this.players].filter(([, { rounds }]) => rounds > 0);
    const least = thresholdLog(players.length);
    const named = players
      .filter(([, { mostLog }]) => mostLog >= least)
      .sort(([, a], [, b]) => b.mostLog - a.mostLog)
      .map(([player, { rounds, mostLog }]) => ({ player, rounds, eValue: expText(mostLog) }));
    return {
      players: players.length,
      alpha: ALPHA,
      threshold: players.length === 0 ? '0' : expText(least),
      count: named.length,
      named: named.slice(0, NAMED_KEPT_MAX),
    };
  }

  private stake(owner: string, placed: BetPlaced['data']): void {
    const { game, round, stakeMinor } = placed;
    const chances = this.chancesOf(placed);
    // Unknown rules and choices have no odds; that round is another check's finding.
    if (!chances) return;
    const luck = this.players.get(owner) ?? new Luck();
    this.players.set(owner, luck);
    const staked = luck.stake(Number(stakeMinor), chances);
    this.open.set(`${owner} ${game}`, { ...staked, round, stakeMinor });
  }

  private settle(
    owner: string,
    ended: { readonly game: string; readonly round: string },
    payoutMinor: bigint,
  ): void {
    const open = this.take(owner, ended);
    if (!open) return;
    this.players.get(owner)?.settle(open, Number(payoutMinor) / Number(open.stakeMinor));
  }

  private take(
    owner: string,
    { game, round }: { readonly game: string; readonly round: string },
  ): OpenRound | null {
    const key = `${owner} ${game}`;
    const open = this.open.get(key);
    if (open?.round !== round) return null;
    this.open.delete(key);
    return open;
  }

  private chancesOf(placed: BetPlaced['data']): Chances | null {
    const { game, rules, choice, stakeMinor } = placed;
    const key = `${game} ${rules} ${stakeMinor} ${JSON.stringify(choice)}`;
    const known = this.chances.get(key);
    if (known) return known;
    const odds = this.oddsOf(placed);
    if (!odds || stakeMinor <= 0n) return null;
    const chances = new Chances(odds, stakeMinor);
    if (this.chances.size === CHANCES_KEPT_MAX) this.chances.clear();
    this.chances.set(key, chances);
    return chances;
  }

  private oddsOf({ game: id, rules, choice }: BetPlaced['data']): Odds | null {
    const game = findGame(id, this.games);
    if (!game?.rulesIds.includes(rules) || choiceProblem(game, choice)) return null;
    const key = `${id} ${rules} ${JSON.stringify(choice)}`;
    const known = this.odds.get(key) ?? game.odds(rules, choice);
    this.odds.set(key, known);
    return known;
  }
}

/** e to that power with two digits, also beyond the range of numbers. */
function expText(log: number): string {
  const tens = log / Math.LN10;
  const digits = Math.floor(10 ** (tens - Math.floor(tens)) * 10) / 10;
  return `${digits.toFixed(1)}e${Math.floor(tens)}`;
}
