import { type AppendCommand, append, COMMANDS_PER_APPEND_MAX } from '@reelbook/event-store/append';
import { chainHash, GENESIS_HASH } from '@reelbook/event-store/chain';
import { hashKey, hashRequest } from '@reelbook/event-store/idempotency-key';
import { encode, tailsOf } from '@reelbook/ledger/codec';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { type ChangeConfig, configDecider } from '@reelbook/ledger/config/decide';
import type { Decider, LedgerEvent } from '@reelbook/ledger/decider';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import { marginDeltaMinor } from '@reelbook/ledger/invariants';
import type { Asset } from '@reelbook/ledger/money';
import type {
  Exchange,
  PlaceBet,
  PlayerCommand,
  RotateSeeds,
  SettleRound,
  StartRound,
} from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState, TimedRound } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { type SealLedger, sealsDecider } from '@reelbook/ledger/seals/decide';
import {
  CONFIG_STREAM,
  playerStream,
  SEALS_STREAM,
  TREASURY_STREAM,
} from '@reelbook/ledger/streams';
import {
  type AnchorSeal,
  type ObserveTreasury,
  treasuryDecider,
} from '@reelbook/ledger/treasury/decide';
import type pg from 'pg';

/**
 * A history made by the real deciders, told in a test's own words. `recorded` is what the book would say of it;
 * `appendTo` puts what was told since the last call into a real book.
 */
export interface History {
  register(wallet: string, welcomePointsMinor?: bigint): void;
  rename(wallet: string, nickname: string): void;
  /** Any other command of a player's stream. */
  act(wallet: string, command: PlayerCommand): void;
  rotate(wallet: string): void;
  /** A round that settles at once; a payout of 0 is a loss. */
  bet(wallet: string, stakeMinor: bigint, payoutMinor: bigint, game?: string): void;
  /** A round that lasts so many ticks of a second; it stays open. */
  start(wallet: string, game: string, ticks: number): void;
  /** Ends the open round of a game: it pays, or an operator gives its stake back. */
  settle(wallet: string, game: string, payoutMinor: bigint | 'void'): void;
  /** At the rates of the default configuration. */
  exchange(wallet: string, fromAsset: Asset, amountMinor: bigint): void;
  /** Asks for a withdrawal to a wallet of nobody, by the terms of the default configuration. */
  withdraw(wallet: string, amountMinor: bigint): void;
  /** Marks the n-th notification of a player, or all, as read. */
  readNotifications(wallet: string, which: number | 'all'): void;
  observeTreasury(tokenMinor: bigint): void;
  setBigWinMultiple(bigWinMultiple: number): void;
  /** Seals what is not sealed yet up to a position; the root is none that any tree has. */
  seal(to: number): void;
  /** Anchors the seals up to that number in a transaction of nobody. */
  anchor(seal: number): void;
  recorded(): readonly RecordedEvent[];
  /** @returns the position of the last event in the book. */
  appendTo(pool: pg.Pool): Promise<number>;
}

/** The n-th of some wallet addresses that nobody has a key of. */
export function walletOf(n: number): string {
  return `${'p'.repeat(32)}${n.toString(9).replaceAll('0', '9')}`;
}

const HISTORY_START_MS = Date.parse('2026-11-21T13:00:00.000Z');
const META = { command: 'c', correlation: 'test', actor: 'system:test' };

interface Told {
  readonly stream: string;
  readonly events: readonly LedgerEvent[];
  readonly versionBefore: number;
  readonly state: unknown;
  readonly stateSchema: number;
}

export function createHistory(): History {
  const states = new Map<string, { state: unknown; version: number }>();
  const told: Told[] = [];
  let appended = 0;
  let seedsMade = 0;
  let { bigWinMultiple } = defaultConfig;

  function tell<S, C, E extends LedgerEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    commandOf: (state: S) => C,
  ): void {
    const { state: before, version } = states.get(stream) ?? { state: decider.initial, version: 0 };
    const events = decider.decide(before as S, commandOf(before as S));
    if (isRejection(events)) throw new Error(`rejected: ${events.rejected}`);
    if (events.length === 0) return;
    const state = events.reduce((so, event) => decider.evolve(so, event), before as S);
    told.push({
      stream,
      events,
      versionBefore: version,
      state,
      stateSchema: decider.stateSchema,
    });
    states.set(stream, { state, version: version + events.length });
  }

  const player = (wallet: string, commandOf: (state: PlayerState) => PlayerCommand) =>
    tell(playerDecider, playerStream(wallet), commandOf);
  const nextHash = () => (++seedsMade).toString(16).padStart(64, '0');

  return {
    register(wallet, welcomePointsMinor = 100_000n) {
      const hashes = { activeHash: nextHash(), nextHash: nextHash() };
      player(wallet, () => registerCommand(wallet, { welcomePointsMinor, ...hashes }));
    },
    act: (wallet, command) => player(wallet, () => command),
    rename: (wallet, nickname) => player(wallet, () => ({ type: 'ChangeNickname', nickname })),
    rotate: (wallet) => player(wallet, ({ seeds }) => rotateCommand(seeds, nextHash(), nextHash())),
    bet: (wallet, stakeMinor, payoutMinor, game = 'slot-machine') =>
      player(wallet, ({ seeds }) =>
        betCommand(seeds, { stakeMinor, payoutMinor, game, bigWinMultiple }),
      ),
    start: (wallet, game, ticks) => player(wallet, ({ seeds }) => startCommand(seeds, game, ticks)),
    settle: (wallet, game, payoutMinor) =>
      player(wallet, ({ timed }) =>
        endCommand(timed?.[game], { game, payoutMinor, bigWinMultiple }),
      ),
    exchange: (wallet, fromAsset, amountMinor) =>
      player(wallet, () => exchangeCommand(fromAsset, amountMinor)),
    withdraw: (wallet, amountMinor) => player(wallet, () => withdrawCommand(amountMinor)),
    readNotifications: (wallet, which) =>
      player(wallet, () => ({ type: 'ReadNotifications', which })),
    observeTreasury: (tokenMinor) =>
      tell(treasuryDecider, TREASURY_STREAM, () => observation(tokenMinor)),
    setBigWinMultiple(multiple) {
      bigWinMultiple = multiple;
      tell(configDecider, CONFIG_STREAM, () => configCommand(multiple));
    },
    seal: (to) =>
      tell(sealsDecider, SEALS_STREAM, (state) => sealCommand(state.to + 1, to, nextHash())),
    anchor: (seal) =>
      tell(treasuryDecider, TREASURY_STREAM, (state) =>
        anchorCommand(state.anchoredSeal + 1, seal, nextHash()),
      ),
    recorded: () => record(told),
    async appendTo(pool) {
      let head = 0;
      while (appended < told.length) {
        const batch = told.slice(appended, appended + COMMANDS_PER_APPEND_MAX);
        const commands = batch.map((one, index) => toAppend(one, appended + index));
        const results = await append(pool, commands);
        for (const [index, result] of results.entries()) {
          if (result.status !== 'appended') throw new Error(`not appended: ${result.status}`);
          head = result.position + (batch[index]?.events.length ?? 0) - 1;
        }
        appended += batch.length;
      }
      return head;
    },
  };
}

function withdrawCommand(amountMinor: bigint): PlayerCommand {
  return {
    ...{ type: 'RequestWithdrawal', amountMinor, to: 'E'.repeat(43), address: 'wallet' },
    ...{ makesAccount: false, terms: defaultConfig.withdraw },
  };
}

function registerCommand(
  wallet: string,
  o: { welcomePointsMinor: bigint; activeHash: string; nextHash: string },
): PlayerCommand {
  const registration = { publicId: `id${wallet.slice(32)}`, ...o, clientSeed: 'lucky' };
  return { type: 'StartSession', wallet, session: 's', registration };
}

function betCommand(
  seeds: PlayerState['seeds'],
  {
    payoutMinor,
    ...bet
  }: Pick<PlaceBet, 'stakeMinor' | 'game' | 'bigWinMultiple'> & {
    readonly payoutMinor: bigint;
  },
): PlaceBet {
  return {
    type: 'PlaceBet',
    ...bet,
    lines: 25,
    limits: { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 },
    rules: 'slot-1',
    pair: seeds?.pair ?? 0,
    nonce: seeds?.nonce ?? 0,
    draw: () => ({ outcome: { symbols: [1, 1, 2] }, payoutMinor }),
  };
}

function startCommand(seeds: PlayerState['seeds'], game: string, ticks: number): StartRound {
  const bet = { stakeMinor: 1_000n, payoutMinor: 0n, game, bigWinMultiple: 1 };
  const lasting = { rules: `${game}-1`, draw: () => ({ ticks }), tickMs: 1_000 };
  return { ...betCommand(seeds, bet), ...lasting, type: 'StartRound' };
}

function endCommand(
  open: TimedRound | undefined,
  o: Pick<SettleRound, 'game' | 'bigWinMultiple'> & { readonly payoutMinor: bigint | 'void' },
): PlayerCommand {
  const { round = '', ticks = 0, tickMs = 0 } = open ?? {};
  const { game, payoutMinor, bigWinMultiple } = o;
  if (payoutMinor === 'void') {
    const by = { by: 'operator:test', operators: {} };
    const alone = { ...by, terms: defaultConfig.adjust, isAllowed: true, nowMs: 0 };
    return { type: 'VoidRound', round, reason: 'a test', ...alone };
  }
  const outcome = { rules: `${game}-1`, ticks };
  const elapsedMs = ticks * tickMs;
  return { type: 'SettleRound', game, round, outcome, payoutMinor, elapsedMs, bigWinMultiple };
}

function configCommand(bigWinMultiple: number): ChangeConfig {
  return {
    type: 'ChangeConfig',
    config: { ...defaultConfig, bigWinMultiple },
    reason: 'a test',
    knownRules: { 'slot-machine': ['slot-1'] },
    ...{ by: 'system:test', adminsEver: 0 },
  };
}

function rotateCommand(
  seeds: PlayerState['seeds'],
  serverSeed: string,
  nextHash: string,
): RotateSeeds {
  const serverSeedHash = seeds?.activeHash ?? '';
  const clientSeed = { text: 'luckier', by: 'player' } as const;
  return { type: 'RotateSeeds', serverSeedHash, serverSeed, nextHash, clientSeed };
}

function exchangeCommand(fromAsset: Asset, amountMinor: bigint): Exchange {
  const toAsset = fromAsset === 'points' ? 'token' : 'points';
  return { type: 'Exchange', fromAsset, toAsset, amountMinor, terms: defaultConfig.exchange };
}

function sealCommand(from: number, to: number, root: string): SealLedger {
  return { type: 'SealLedger', from, to, root, chainHash: root };
}

function anchorCommand(fromSeal: number, seal: number, root: string): AnchorSeal {
  const roots = { fromSeal, seal, root, sealsRoot: root };
  return { type: 'AnchorSeal', ...roots, wallet: walletOf(0), signature: '5'.repeat(87), slot: 1 };
}

function observation(tokenMinor: bigint): ObserveTreasury {
  return { type: 'ObserveTreasury', tokenMinor, source: 'a test' };
}

function toAppend(one: Told, index: number): AppendCommand {
  return {
    idempotencyKey: hashKey(`test:${index}`),
    requestHash: hashRequest(index),
    stream: one.stream,
    expectedVersion: one.versionBefore,
    configVersion: null,
    marginDeltaMinor: marginDeltaMinor(one.events as readonly AnyEvent[], one.stream),
    mustCover: false,
    state: encode(one.state),
    stateSchema: one.stateSchema,
    events: tailsOf(one.stream, { events: one.events, meta: META }),
  };
}

function record(told: readonly Told[]): readonly RecordedEvent[] {
  const recorded: RecordedEvent[] = [];
  let hash = GENESIS_HASH;
  for (const { stream, events, versionBefore } of told) {
    const firstPosition = recorded.length + 1;
    for (const [index, event] of events.entries()) {
      const position = firstPosition + index;
      const version = versionBefore + index + 1;
      const time = new Date(HISTORY_START_MS + position * 1_000).toISOString();
      const { type, data } = event;
      const meta = index === 0 ? { meta: META } : {};
      const body = encode({ position, stream, version, type, time, data, ...meta });
      hash = chainHash(hash, body);
      recorded.push({
        ...{ position, firstPosition, stream, version, time, meta: META, body, hash },
        event: event as AnyEvent,
      });
    }
  }
  return recorded;
}
