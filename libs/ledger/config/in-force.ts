import { MINUTE_MS } from '../calendar.ts';
import type { Config, ExchangeConfig, GameConfig } from './config.ts';

/** What the configuration allows, including the switch for all play. */

export function isGameOpen({ play, games }: Config, game: string): boolean {
  return play.enabled && games[game]?.enabled === true;
}

/** Undefined for a game that is not configured. */
export function gameInForce(config: Config, game: string): GameConfig | undefined {
  const found = config.games[game];
  return found && { ...found, enabled: isGameOpen(config, game) };
}

export function exchangeInForce({ play, exchange }: Config): ExchangeConfig {
  return play.enabled ? exchange : { ...exchange, enabled: false };
}

/** The operator's interval of reality checks in ms; null for none. */
export function realityCheckOf({ protection }: Config): number | null {
  const { realityCheckMinutes: minutes } = protection;
  return minutes === null ? null : minutes * MINUTE_MS;
}
