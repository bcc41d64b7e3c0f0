import { DAY_MS, MINUTE_MS, type Period, startOf } from '@reelbook/ledger/calendar';
import { postings } from '@reelbook/ledger/event-types';
import type { AnyEvent } from '@reelbook/ledger/events';
import { toText } from '@reelbook/ledger/money';
import { isCheckInterval, LOOSENING_DELAY_MS } from '@reelbook/ledger/player/protection';
import type { LimitSet, SelfExcluded } from '@reelbook/ledger/player/protection-events';
import { PLAY_BREAK_MS } from '@reelbook/ledger/player/protection-state';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { Pass } from './findings.ts';
import type { AuditedEvent } from './terms-pass.ts';

/**
 * An event's own time comes from the clocks as its decider last read them: ahead of Postgres' clock at the append by no
 * more than two clocks drift in the second between readings, and earlier by no more than an append may take when a process
 * or Postgres is suspended in the middle of it. A player's own time never runs backwards: after clocks were set back, it is
 * the time of the player's previous event.
 */
const AHEAD_MAX_MS = 2_000;
const BEHIND_MAX_MS = 5 * MINUTE_MS;
/** A month. */
const DAYS_KEPT = 31;

/** A limit as it was set, in the order of the ledger. */
interface Rule {
  readonly amountMinor: bigint | null;
  readonly fromMs: number;
}

/** What counts against one limit, in the day, week or month that begins at `sinceMs`. */
interface Count {
  readonly sinceMs: number;
  readonly usedMinor: bigint;
}

/** What a player used of limits of each kind within a day. */
type Used = Readonly<Record<LimitSet['data']['kind'], bigint>>;

interface Session {
  sinceMs: number;
  lastMs: number;
  checkedMs: number;
  staked: bigint;
  won: bigint;
}

/** A player with limits, an exclusion or reality checks, followed from the events alone. */
interface Followed {
  atMs: number;
  excludedUntilMs: number;
  everyMs: number | null | undefined;
  session: Session | null;
  /** By kind and period. */
  readonly rules: Map<string, readonly Rule[]>;
  readonly counts: Map<string, Count>;
}

/**
 * Player protection, counted from the events alone and independently of the states: no stake and no purchase of points
 * during an exclusion, no stake above a limit in force, none past a due reality check, no limit loosened early or set
 * without what its period contained, no exclusion shortened, and every event's own time the ledger's.
 */
export class ProtectionPass extends Pass {
  private readonly players = new Map<string, Followed>();
  /** By player and day, also of players without limits: a new limit contains what its period contains. */
  private readonly days = new Map<string, Map<number, Used>>();
  /** Of players without times: the first event with one contains it. */
  private readonly sessions = new Map<string, Session>();
  private siteEveryMs: number | null = null;

  next({ position, owner, event, time, clock }: AuditedEvent): void {
    if (event.type === 'ConfigChanged') {
      const minutes = event.data.after.protection.realityCheckMinutes;
      this.siteEveryMs = minutes === null ? null : minutes * MINUTE_MS;
      return;
    }
    const fault = (message: string) => this.findings.add('protection', position, message);
    const atMs = 'atMs' in event.data ? event.data.atMs : undefined;
    this.use(owner, event, atMs ?? Date.parse(clock));
    let player = this.players.get(owner);
    if (!player && atMs === undefined) {
      this.play(owner, event, Date.parse(clock));
      return;
    }
    if ('played' in event.data) {
      if (player) fault('a session that is followed is counted again');
      player ??= this.follow(owner, this.begun(owner, event.data, fault));
    }
    player ??= this.follow(owner, null);
    if (atMs !== undefined) {
      // Operators' own times are those of several processes, and never before the ledger's.
      const isOperators = owner === OPERATORS_STREAM;
      const beforeMs = isOperators ? Number.NEGATIVE_INFINITY : player.atMs;
      checkTime(atMs, beforeMs, Date.parse(isOperators ? time : clock), fault);
      player.atMs = atMs;
    }
    this.check(player, event, owner, fault);
  }

  private follow(owner: string, session: Session | null): Followed {
    const player: Followed = {
      atMs: Number.NEGATIVE_INFINITY,
      excludedUntilMs: Number.NEGATIVE_INFINITY,
      everyMs: undefined,
      session,
      rules: new Map(),
      counts: new Map(),
    };
    this.players.set(owner, player);
    this.sessions.delete(owner);
    return player;
  }

  private check(
    player: Followed,
    event: AnyEvent,
    owner: string,
    fault: (message: string) => void,
  ): void {
    const { atMs } = player;
    switch (event.type) {
      case 'BetPlaced':
        if (event.data.atMs === undefined) fault('the stake of a player with limits has no time');
        if (atMs < player.excludedUntilMs) fault('an excluded player staked');
        stake(player, event.data.stakeMinor, this.everyMs(player), fault);
        return;
      case 'BetVoided':
        count(player, 'loss', -event.data.stakeMinor);
        if (player.session) player.session.won += event.data.stakeMinor;
        return;
      case 'Exchanged':
        if (event.data.toAsset !== 'points') return;
        if (event.data.atMs === undefined) fault('the purchase of points has no time');
        if (atMs < player.excludedUntilMs) fault('an excluded player bought points');
        return;
      case 'LimitSet':
        this.checkUsed(owner, event.data, fault);
        setLimit(player, event.data, fault);
        return;
      case 'LimitChangeCancelled': {
        const key = `${event.data.kind} ${event.data.period}`;
        const rules = player.rules.get(key) ?? [];
        const kept = rules.filter(({ fromMs }) => fromMs <= atMs);
        if (kept.length === rules.length) fault('the cancelled change was not pending');
        player.rules.set(key, kept);
        return;
      }
      case 'SelfExcluded':
        exclude(player, event.data, fault);
        return;
      case 'RealityCheckSet':
        if (isDue(player, this.everyMs(player))) {
          fault('a reality check interval is chosen while one is due');
        }
        if (event.data.everyMs !== null && !isCheckInterval(event.data.everyMs / MINUTE_MS)) {
          fault('unknown reality check interval');
        }
        player.everyMs = event.data.everyMs;
        return;
      case 'RealityCheckAcknowledged': {
        const { session } = player;
        const data = event.data;
        if (!session || !isDue(player, this.everyMs(player))) {
          fault('the acknowledged reality check was not due');
        } else if (
          data.sinceMs !== session.sinceMs ||
          data.stakedMinor !== session.staked ||
          data.wonMinor !== session.won
        ) {
          fault('the figures of the reality check differ from the session');
        }
        if (session) session.checkedMs = atMs;
        return;
      }
      default:
        if ('round' in event.data) pay(player, gainedBy(event, owner));
        return;
    }
  }

  private use(owner: string, event: AnyEvent, atMs: number): void {
    const staked = event.type === 'BetPlaced' ? event.data.stakeMinor : 0n;
    const deposited = event.type === 'DepositCredited' ? event.data.amountMinor : 0n;
    const gained = 'round' in event.data && staked === 0n ? gainedBy(event, owner) : 0n;
    if (staked === 0n && deposited === 0n && gained === 0n) return;
    const day = Math.floor(atMs / DAY_MS);
    const days = this.days.get(owner) ?? new Map<number, Used>();
    this.days.set(owner, days);
    const before = days.get(day);
    if (!before) for (const old of days.keys()) if (old < day - DAYS_KEPT) days.delete(old);
    days.set(day, {
      wager: (before?.wager ?? 0n) + staked,
      loss: (before?.loss ?? 0n) + staked - gained,
      deposit: (before?.deposit ?? 0n) + deposited,
    });
  }

  private checkUsed(
    owner: string,
    { atMs, kind, period, usedMinor }: LimitSet['data'],
    fault: (message: string) => void,
  ): void {
    if (usedMinor === undefined) return;
    const sinceMs = startOf(period, atMs);
    let counted = 0n;
    for (const [day, used] of this.days.get(owner) ?? []) {
      if (startOf(period, day * DAY_MS) === sinceMs) counted += used[kind];
    }
    if (counted !== usedMinor) fault('the limit does not contain what was used before it');
  }

  private play(owner: string, event: AnyEvent, atMs: number): void {
    const session = this.sessions.get(owner) ?? null;
    if (event.type === 'BetPlaced') {
      this.sessions.set(owner, withStake(session, event.data.stakeMinor, atMs));
    } else if (session && 'round' in event.data) session.won += gainedBy(event, owner);
  }

  private begun(
    owner: string,
    { atMs, played }: Pick<LimitSet['data'], 'atMs' | 'played'>,
    fault: (message: string) => void,
  ): Session | null {
    const last = this.sessions.get(owner);
    const session = last && atMs - last.lastMs < PLAY_BREAK_MS ? last : null;
    const isSame =
      session?.sinceMs === played?.sinceMs &&
      session?.lastMs === played?.lastMs &&
      session?.staked === played?.stakedMinor &&
      session?.won === played?.wonMinor;
    if (!isSame) fault('the session before it differs from the events');
    return session;
  }

  private everyMs({ everyMs }: Followed): number | null {
    return everyMs === undefined ? this.siteEveryMs : everyMs;
  }
}

function checkTime(
  atMs: number,
  beforeMs: number,
  clockMs: number,
  fault: (message: string) => void,
): void {
  if (atMs < beforeMs) fault('its own time is before the previous one');
  if (atMs > Math.max(beforeMs, clockMs + AHEAD_MAX_MS)) {
    fault('its own time is later than its recorded time');
  }
  if (atMs < clockMs - BEHIND_MAX_MS) fault('its own time is long before its recorded time');
}

/** The amount in force: that of the latest rule that has started; null for no limit. */
function amountAt(rules: readonly Rule[], atMs: number): bigint | null {
  return rules.findLast(({ fromMs }) => fromMs <= atMs)?.amountMinor ?? null;
}

function setLimit(
  player: Followed,
  { atMs, kind, period, amountMinor, fromMs, usedMinor = 0n, reason }: LimitSet['data'],
  fault: (message: string) => void,
): void {
  const key = `${kind} ${period}`;
  const inForce = (player.rules.get(key) ?? []).filter((rule) => rule.fromMs <= atMs);
  const before = amountAt(inForce, atMs);
  if (amountMinor !== null && amountMinor < 0n) fault('the limit is negative');
  const looser = before !== null && (amountMinor === null || amountMinor > before);
  if (looser && fromMs < atMs + LOOSENING_DELAY_MS)
    fault('a limit is loosened before its delay is over');
  if (looser && reason !== undefined) fault('an operator loosens a limit');
  if (!looser && fromMs !== atMs) fault('a limit is tightened with a delay');
  if (before === null && amountMinor === null) fault('the removed limit did not exist');
  if (before !== null && usedMinor !== 0n) fault('a limit that exists is counted again');
  if (before === null) player.counts.set(key, { sinceMs: startOf(period, atMs), usedMinor });
  player.rules.set(key, [...inForce.slice(-1), { amountMinor, fromMs }]);
}

function exclude(
  player: Followed,
  { atMs, untilMs }: SelfExcluded['data'],
  fault: (message: string) => void,
): void {
  const until = untilMs ?? Number.POSITIVE_INFINITY;
  if (until <= atMs) fault('an exclusion ends before it starts');
  if (atMs < player.excludedUntilMs && until < player.excludedUntilMs) {
    fault('an exclusion is shortened');
  }
  player.excludedUntilMs = until;
}

function stake(
  player: Followed,
  stakeMinor: bigint,
  everyMs: number | null,
  fault: (message: string) => void,
): void {
  if (isDue(player, everyMs)) fault('the player staked although a reality check was due');
  count(player, 'wager', stakeMinor);
  count(player, 'loss', stakeMinor);
  const { atMs } = player;
  for (const [key, rules] of player.rules) {
    const amountMinor = key.startsWith('deposit') ? null : amountAt(rules, atMs);
    const usedMinor = player.counts.get(key)?.usedMinor ?? 0n;
    if (amountMinor !== null && usedMinor > amountMinor) {
      fault(
        `the stake raises ${key} to ${toText('points', usedMinor)}; the limit is ${toText('points', amountMinor)}`,
      );
    }
  }
  player.session = withStake(player.session, stakeMinor, atMs);
}

function withStake(session: Session | null, stakeMinor: bigint, atMs: number): Session {
  const continues = session && atMs - session.lastMs < PLAY_BREAK_MS;
  const begun = { sinceMs: atMs, checkedMs: atMs, staked: 0n, won: 0n };
  const { staked, ...rest } = continues ? session : begun;
  return { ...rest, lastMs: atMs, staked: staked + stakeMinor };
}

/** For every end of a round, by a win or a returned stake: what the player gains reduces the loss. */
function pay(player: Followed, gainedMinor: bigint): void {
  count(player, 'loss', -gainedMinor);
  if (player.session) player.session.won += gainedMinor;
}

function gainedBy(event: AnyEvent, owner: string): bigint {
  const own = postings(event, owner).filter(({ account }) => account === `player:${owner}`);
  return own.reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
}

/** Counts for every limit of that kind, in the window of the player's time. */
function count(player: Followed, kind: 'wager' | 'loss', amountMinor: bigint): void {
  for (const [key, count] of player.counts) {
    const [limited, period] = key.split(' ');
    if (limited !== kind) continue;
    const sinceMs = startOf(period as Period, player.atMs);
    const before = sinceMs === count.sinceMs ? count.usedMinor : 0n;
    player.counts.set(key, { sinceMs, usedMinor: before + amountMinor });
  }
}

function isDue({ atMs, session }: Followed, everyMs: number | null): boolean {
  if (!session || everyMs === null || atMs - session.lastMs >= PLAY_BREAK_MS) return false;
  return atMs - session.checkedMs >= everyMs;
}
