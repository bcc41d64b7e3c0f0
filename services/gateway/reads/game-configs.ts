import type { GameConfig, GameConfigs } from '@reelbook/contract/player/public';
import { DEFAULT_LINES } from '@reelbook/contract/player/slot';
import { fractionText, percent } from '@reelbook/games/fraction';
import type { Game } from '@reelbook/games/game';
import { TICKS_MAX } from '@reelbook/games/timed';
import { assert } from '@reelbook/ledger/assert';
import type { Config } from '@reelbook/ledger/config/config';
import { isGameOpen } from '@reelbook/ledger/config/in-force';
import { toNumber } from '@reelbook/ledger/money';
import type { Gateway } from '../context.ts';

const computed = new WeakMap<Config, GameConfigs>();

/** Limits and odds of every game in the current configuration, computed once per configuration. */
export function readGameConfigs(gateway: Gateway): GameConfigs {
  const { config } = gateway.config.current();
  const known = computed.get(config) ?? configsOf(gateway, config);
  computed.set(config, known);
  return known;
}

function configsOf({ games, settings }: Gateway, config: Config): GameConfigs {
  const all = games.map((game) => [game.apiKey, configOf(game, config, settings.gameTickMs)]);
  return Object.fromEntries(all) as GameConfigs;
}

function configOf(game: Game, config: Config, tickMs: number): GameConfig {
  const limits = config.games[game.id];
  assert(limits, `${game.id} is configured`);
  const odds = game.odds(limits.rules);
  const [minBet, maxBet] = [limits.minStakeMinor, limits.maxStakeMinor].map((minor) =>
    toNumber('points', minor),
  ) as [number, number];
  const { timed, choice } = game;
  return {
    title: game.title,
    min_bet: minBet,
    max_bet: maxBet,
    max_win: toNumber('points', odds.maxWinMinor),
    default_lines: Math.min(DEFAULT_LINES, limits.maxLines),
    enabled: isGameOpen(config, game.id),
    rules: limits.rules,
    rules_text: odds.rulesText,
    rules_hash: odds.rulesHash,
    return: { fraction: fractionText(odds.expectedReturn), percent: percent(odds.expectedReturn) },
    hit_rate_percent: percent(odds.hitRate),
    paytable: odds.paytable.map(({ row, symbols, multiple, weight, of, odds }) => {
      return { row, symbols: [...symbols], multiple, weight, of, odds };
    }),
    return_by_bet: odds.returnByBet(minBet, maxBet).map(({ fromBet, toBet, low, high }) => ({
      from_bet: fromBet,
      to_bet: toBet,
      percent_low: percent(low),
      percent_high: percent(high),
    })),
    timed: timed && {
      fee: minBet,
      tick_ms: tickMs,
      ticks_max: TICKS_MAX,
      end_percent: timed.endPercent(limits.rules),
      fields: { ...timed.fields },
    },
    ...(choice && { choice: { fields: { ...choice.fields }, initial: choice.initial } }),
  };
}
