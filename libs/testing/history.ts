import { type AppendCommand, append, COMMANDS_PER_APPEND_MAX } from '@reelbook/event-store/append';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { hashKey, hashRequest } from '@reelbook/event-store/execution';
import { chainHash, GENESIS_HASH } from '@reelbook/event-store/hash-chain';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { createDraws } from '@reelbook/games/fairness/draw';
import { findGame, games } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import { encode, tailsOf } from '@reelbook/ledger/codec';
import { type Config, defaultConfig } from '@reelbook/ledger/config/config';
import { type ChangeConfig, configDecider } from '@reelbook/ledger/config/decide';
import type { Decider, LedgerEvent } from '@reelbook/ledger/decider';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import { marginDeltaMinor } from '@reelbook/ledger/invariants';
import type { Asset } from '@reelbook/ledger/money';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { type SealLedger, sealsDecider } from '@reelbook/ledger/seals/decide';
import {
  CONFIG_STREAM,
  parseStream,
  playerStream,
  SEALS_STREAM,
  TREASURY_STREAM,
} from '@reelbook/ledger/streams';
import {
  type AnchorSeal,
  type ObserveTreasury,
  type TreasuryCommand,
  treasuryDecider,
} from '@reelbook/ledger/treasury/decide';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import type pg from 'pg';
import {
  betCommand,
  endCommand,
  exchangeCommand,
  registerCommand,
  rotateCommand,
  startCommand,
  withdrawCommand,
} from './commands.ts';
import { createWallet } from './wallets.ts';

/**
 * Events by the real deciders, as a test chooses them. `recorded` is what the ledger would have of them; `appendTo` appends
 * those since the last call to a real one.
 */
export interface History {
  register(wallet: string, welcomePointsMinor?: bigint): void;
  rename(wallet: string, nickname: string): void;
  /** Any other command of a player's stream. */
  act(wallet: string, command: PlayerCommand): void;
  rotate(wallet: string): void;
  /** A round that settles immediately; a payout of 0 is a loss. */
  bet(wallet: string, stakeMinor: bigint, payoutMinor: bigint, game?: string): void;
  /** A round that lasts so many ticks of a second; it stays open. */
  start(wallet: string, game: string, ticks: number): void;
  /** Ends the open round of a game: it pays, or an operator gives its stake back. */
  settle(wallet: string, game: string, payoutMinor: bigint | 'void'): void;
  /** At the rates of the default configuration. */
  exchange(wallet: string, fromAsset: Asset, amountMinor: bigint): void;
  /** Requests a withdrawal to an unused wallet, by the terms of the default configuration. */
  withdraw(wallet: string, amountMinor: bigint): void;
  /** Marks the n-th notification of a player, or all, as read. */
  readNotifications(wallet: string, which: number | 'all'): void;
  observeTreasury(tokenMinor: bigint): void;
  /** Any other command of the treasury's stream. */
  treasury(command: TreasuryCommand): void;
  setBigWinMultiple(bigWinMultiple: number): void;
  /** Seals what is not sealed yet up to a position; the root is none that any tree has. */
  seal(to: number): void;
  /** Anchors the seals up to that number in a transaction that no chain has. */
  anchor(seal: number): void;
  recorded(): readonly RecordedEvent[];
  /** @returns the position of the last event in the ledger. */
  appendTo(pool: pg.Pool): Promise<number>;
}

/** The n-th of some wallet addresses without a known key. */
export function walletOf(n: number): string {
  return `${'p'.repeat(32)}${n.toString(9).replaceAll('0', '9')}`;
}

const GAME = 'slot-machine';
const WELCOME_MINOR = 100_000n;
const HISTORY_START_MS = Date.parse('2026-11-21T13:00:00.000Z');
const META = { command: 'c', correlation: 'test', actor: 'system:test' };

interface Target {
  readonly stream: string;
  readonly events: readonly LedgerEvent[];
  readonly versionBefore: number;
  readonly state: unknown;
  readonly stateSchema: number;
}

export function createHistory(): History {
  const states = new Map<string, { state: unknown; version: number }>();
  const added: Target[] = [];
  let appended = 0;
  let seedsMade = 0;
  let { bigWinMultiple } = defaultConfig;

  function add<S, C, E extends LedgerEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    commandOf: (state: S) => C,
  ): void {
    const { state: before, version } = states.get(stream) ?? { state: decider.initial, version: 0 };
    const events = decider.decide(before as S, commandOf(before as S));
    if (isRejection(events)) throw new Error(`rejected: ${events.rejected}`);
    if (events.length === 0) return;
    const state = events.reduce((so, event) => decider.evolve(so, event), before as S);
    added.push({
      stream,
      events,
      versionBefore: version,
      state,
      stateSchema: decider.stateSchema,
    });
    states.set(stream, { state, version: version + events.length });
  }

  const player = (wallet: string, commandOf: (state: PlayerState) => PlayerCommand) =>
    add(playerDecider, playerStream(wallet), commandOf);
  const treasury = (commandOf: (state: TreasuryState) => TreasuryCommand) =>
    add(treasuryDecider, TREASURY_STREAM, commandOf);
  const nextHash = () => (++seedsMade).toString(16).padStart(64, '0');

  return {
    register(wallet, welcomePointsMinor = WELCOME_MINOR) {
      const hashes = { activeHash: nextHash(), nextHash: nextHash() };
      const publicId = `id${wallet.slice(32)}`;
      player(wallet, () => registerCommand(wallet, { publicId, welcomePointsMinor, ...hashes }));
    },
    act: (wallet, command) => player(wallet, () => command),
    rename: (wallet, nickname) => player(wallet, () => ({ type: 'ChangeNickname', nickname })),
    rotate: (wallet) => player(wallet, (state) => rotateCommand(state, nextHash(), nextHash())),
    bet(wallet, stakeMinor, payoutMinor, game = GAME) {
      const draw = () => ({ outcome: { symbols: [1, 1, 2] }, payoutMinor });
      const bet = { game, stakeMinor, rules: 'slot-1', draw, bigWinMultiple };
      player(wallet, (state) => betCommand(state, bet));
    },
    start: (wallet, game, ticks) =>
      player(wallet, (state) => startCommand(state, { game, stakeMinor: 1_000n, ticks })),
    settle: (wallet, game, payoutMinor) =>
      player(wallet, (state) => endCommand(state, { game, payoutMinor, bigWinMultiple })),
    exchange: (wallet, fromAsset, amountMinor) =>
      player(wallet, () => exchangeCommand(fromAsset, amountMinor)),
    withdraw: (wallet, amountMinor) => player(wallet, () => withdrawCommand(amountMinor)),
    readNotifications: (wallet, which) =>
      player(wallet, () => ({ type: 'ReadNotifications', which })),
    observeTreasury: (tokenMinor) => treasury(() => observation(tokenMinor)),
    treasury: (command) => treasury(() => command),
    setBigWinMultiple(multiple) {
      bigWinMultiple = multiple;
      const config = { ...defaultConfig, bigWinMultiple, bigWinMinMinor: 0n };
      add(configDecider, CONFIG_STREAM, () => configCommand(config, { [GAME]: ['slot-1'] }));
    },
    seal: (to) =>
      add(sealsDecider, SEALS_STREAM, (state) => sealCommand(state.to + 1, to, nextHash())),
    anchor: (seal) =>
      treasury(({ anchoredSeal }) => anchorCommand(anchoredSeal + 1, seal, nextHash())),
    recorded: () => record(added),
    async appendTo(pool) {
      let head = 0;
      while (appended < added.length) {
        const batch = added.slice(appended, appended + COMMANDS_PER_APPEND_MAX);
        const commands = batch.map((one, index) => toAppend(one, appended + index));
        const results = await append(pool, commands);
        for (const [index, result] of results.entries()) {
          // An append whose answer was lost is a duplicate of itself.
          if (!('position' in result)) throw new Error(`not appended: ${result.status}`);
          head = result.position + (batch[index]?.events.length ?? 0) - 1;
        }
        appended += batch.length;
      }
      return head;
    },
  };
}

function configCommand(config: Config, knownRules: ChangeConfig['knownRules']): ChangeConfig {
  return {
    type: 'ChangeConfig',
    config,
    reason: 'a test',
    knownRules,
    by: 'system:gateway',
    adminsEver: 0,
  };
}

function sealCommand(from: number, to: number, root: string): SealLedger {
  return { type: 'SealLedger', from, to, root, chainHash: root };
}

function anchorCommand(fromSeal: number, seal: number, root: string): AnchorSeal {
  const roots = { fromSeal, seal, root, sealsRoot: root };
  return {
    type: 'AnchorSeal',
    ...roots,
    recorded: roots,
    wallet: walletOf(0),
    signature: '5'.repeat(87),
    slot: 1,
  };
}

function observation(tokenMinor: bigint): ObserveTreasury {
  return { type: 'ObserveTreasury', tokenMinor, source: 'a test' };
}

function toAppend(one: Target, index: number): AppendCommand {
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

function record(added: readonly Target[]): readonly RecordedEvent[] {
  const recorded: RecordedEvent[] = [];
  let hash = GENESIS_HASH;
  for (const { stream, events, versionBefore } of added) {
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
        position,
        firstPosition,
        stream,
        version,
        time,
        meta: META,
        body,
        hash,
        event: event as AnyEvent,
      });
    }
  }
  return recorded;
}

/** Rounds with real draws, through the command executor: for a ledger that an audit draws again. */
export interface Players {
  configure(part?: Partial<Config>): Promise<void>;
  /** Registers a wallet (welcomed with 1,000 points), by default a new one, and returns its address. */
  register(wallet?: string): Promise<string>;
  /** One spin, stake in points; its draw comes from the player's own committed seeds. */
  spin(wallet: string, points: number): Promise<void>;
  rotate(wallet: string): Promise<void>;
  /** Points for token or token for points, in minor units; needs a treasury that covers it. */
  exchange(wallet: string, fromAsset: Asset, amountMinor: bigint): Promise<void>;
  readNotifications(wallet: string, which: number | 'all'): Promise<void>;
}

export function createPlayers(o: { executor: CommandExecutor; vault: SeedVault }): Players {
  let count = 0;
  async function run<S, C, E extends LedgerEvent>(
    decider: Decider<S, C, E>,
    stream: string,
    commandOf: (state: S) => C | Promise<C>,
  ): Promise<void> {
    const actor = stream === CONFIG_STREAM ? 'system:gateway' : `player:${parseStream(stream).id}`;
    const executed = await o.executor.execute({
      decider,
      stream,
      idempotencyKey: `test:${stream}:${count++}`,
      request: null,
      meta: { correlation: 'test', actor },
      prepare: async (state) => ({ command: await commandOf(state), configVersion: null }),
    });
    assert(executed.kind === 'done', `the command is ${executed.kind}`);
  }
  const player = (
    wallet: string,
    commandOf: (state: PlayerState) => PlayerCommand | Promise<PlayerCommand>,
  ) => run(playerDecider, playerStream(wallet), commandOf);

  return {
    configure(part = {}) {
      const knownRules = Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
      const defaults = Object.fromEntries(games.map((game) => [game.id, game.defaults]));
      const welcomePointsMinor = WELCOME_MINOR;
      const config = { ...defaultConfig, games: defaults, welcomePointsMinor, ...part };
      return run(configDecider, CONFIG_STREAM, () => configCommand(config, knownRules));
    },
    async register(wallet = createWallet().address) {
      const [active, next] = [await o.vault.create(wallet), await o.vault.create(wallet)];
      const hashes = { activeHash: active.hash, nextHash: next.hash };
      const terms = { publicId: `t${wallet.slice(0, 9)}`, welcomePointsMinor: WELCOME_MINOR };
      await player(wallet, () => registerCommand(wallet, { ...terms, ...hashes }));
      return wallet;
    },
    spin(wallet, points) {
      const stakeMinor = BigInt(points) * 100n;
      return player(wallet, async (state) => {
        const game = findGame(GAME);
        assert(state.seeds && game, 'a registered player and a known game');
        const rules = game.rulesIds[0] ?? '';
        const { activeHash, clientSeed, nonce } = state.seeds;
        const draws = createDraws({
          serverSeed: await o.vault.open(activeHash),
          clientSeed,
          nonce,
        });
        const draw = () => game.draw({ rules, stakeMinor, lines: 25, draws });
        const { bigWinMultiple, bigWinMinMinor } = defaultConfig;
        const bet = { game: GAME, stakeMinor, rules, draw, bigWinMultiple, bigWinMinMinor };
        return betCommand(state, bet);
      });
    },
    exchange: (wallet, fromAsset, amountMinor) =>
      player(wallet, () => exchangeCommand(fromAsset, amountMinor)),
    readNotifications: (wallet, which) =>
      player(wallet, () => ({ type: 'ReadNotifications', which })),
    rotate: (wallet) =>
      player(wallet, async (state) => {
        const serverSeed = await o.vault.open(state.seeds?.activeHash ?? '');
        return rotateCommand(state, serverSeed, (await o.vault.create(wallet)).hash);
      }),
  };
}
