import { faultAnswer } from '@reelbook/contract/errors';
import { readStream, startProver } from '@reelbook/event-store/read-stream';
import { fraction, percent } from '@reelbook/games/fraction';
import type { Game } from '@reelbook/games/game';
import { assert } from '@reelbook/ledger/assert';
import { type Care, careOf } from '@reelbook/ledger/config/care';
import { type Config, type GameConfig, isGameOpen } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { type Change, changedValues, editAll } from '@reelbook/ledger/config/edit';
import type { ConfigEvent } from '@reelbook/ledger/config/events';
import { findFaults } from '@reelbook/ledger/config/faults';
import { toNumber } from '@reelbook/ledger/money';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { readConfig } from '@reelbook/payments/operator-actions';
import { rulesOf } from '../change-config.ts';
import type { Admin } from '../context.ts';

const HISTORY_SHOWN = 20;

/** The effect of changes, or all their faults. The reason is not part of a preview. */
export async function previewChanges(
  { pool, games, settings }: Pick<Admin, 'pool' | 'games' | 'settings'>,
  changes: readonly Change[],
) {
  const { state, version } = await startProver(pool)(configDecider, CONFIG_STREAM);
  const { config: before } = state;
  assert(before, 'the ledger is configured');
  const edited = editAll(before, changes);
  if ('faults' in edited) {
    const care: Care = 'wait';
    return { version, faults: edited.faults.map(faultAnswer), changes: [], effect: null, care };
  }
  const { config: after } = edited;
  const faults = [...findFaults(before, after, rulesOf(games))];
  if (after.welcomePointsMinor > 0n && !settings.localChain) {
    faults.push({ code: 'welcome-points-local-only', facts: {} });
  }
  const changed = [...changedValues(before, after)];
  if (changed.length === 0) faults.push({ code: 'nothing-changed', facts: {} });
  const care = careOf(before, after, state.agreed);
  if (faults.length > 0) {
    return { version, faults: faults.map(faultAnswer), changes: changed, effect: null, care };
  }
  const effect = {
    games: games.flatMap((game) => effectOn(game, before, after)),
    round_trip_percent: { before: roundTrip(before), after: roundTrip(after) },
    withdrawal_fee_percent: { before: feePercent(before), after: feePercent(after) },
  };
  return { version, faults: [], changes: changed, effect, care };
}

/** Newest first. Every change is an event with the values before and after. */
export async function readHistory(
  { pool }: Pick<Admin, 'pool'>,
  query: { readonly before?: number; readonly limit?: number },
) {
  const { version } = await readConfig(pool);
  const limit = query.limit ?? HISTORY_SHOWN;
  const end = Math.min(query.before ?? version + 1, version + 1);
  const fromVersion = Math.max(1, end - limit);
  const events =
    end > fromVersion
      ? await readStream<ConfigEvent>(pool, {
          stream: CONFIG_STREAM,
          fromVersion,
          limit: end - fromVersion,
        })
      : [];
  const entries = events.reverse().map(({ version, position, time, meta, event }) => {
    const { before, after, reason, proposal } = event.data;
    const changes = [...changedValues(before, after)];
    const who = { actor: meta.actor, proposed_by: proposal?.by ?? null };
    return { version, position, time, ...who, reason, changes };
  });
  return { entries, next: fromVersion > 1 ? fromVersion : null };
}

function effectOn(game: Game, before: Config, after: Config) {
  const was = before.games[game.id];
  const is = after.games[game.id];
  if (!was || !is) return [];
  const terms = {
    game: game.id,
    before: termsOf(game, before, was),
    after: termsOf(game, after, is),
  };
  return JSON.stringify(terms.before) === JSON.stringify(terms.after) ? [] : [terms];
}

/** Terms of a game in a version of the configuration. Exact fractions, rounded for display. */
function termsOf(game: Game, config: Config, { rules, minStakeMinor, maxStakeMinor }: GameConfig) {
  const odds = game.odds(rules);
  const bands = odds.returnByBet(
    toNumber('points', minStakeMinor),
    toNumber('points', maxStakeMinor),
  );
  return {
    rules,
    enabled: isGameOpen(config, game.id),
    return_percent: percent(odds.expectedReturn),
    hit_rate_percent: percent(odds.hitRate),
    return_by_bet: bands.map(({ fromBet, toBet, low, high }) => ({
      from_bet: fromBet,
      to_bet: toBet,
      percent_low: percent(low),
      percent_high: percent(high),
    })),
  };
}

const part = (rate: { readonly numerator: number; readonly denominator: number }) =>
  fraction(BigInt(rate.numerator), BigInt(rate.denominator));

function roundTrip({ exchange: { pointsToToken, tokenToPoints } }: Config): number {
  const [there, back] = [part(pointsToToken), part(tokenToPoints)];
  return percent(
    fraction(there.numerator * back.numerator, there.denominator * back.denominator),
    4,
  );
}

const feePercent = ({ withdraw }: Config) => percent(part(withdraw.feeRate), 4);
