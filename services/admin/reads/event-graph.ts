import { NODES_MAX } from '@reelbook/contract/admin/events';
import { EVENTS_PER_COMMAND_MAX } from '@reelbook/event-store/append';
import { readEvent } from '@reelbook/event-store/read-log';
import { type EventType, postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { parseStream } from '@reelbook/ledger/streams';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { entries } from '@reelbook/projections/entries/projection';
import { type ExplorerEntry, readExplorer, readSince } from '@reelbook/projections/entries/read';
import { assertReached } from '@reelbook/projections/projection';
import type pg from 'pg';
import { factsAnswer, sumsOf } from './convert.ts';

/** Maximum events shown as effects of a login. */
const EFFECTS_OF_LOGIN_MAX = 8;

type Relation =
  | 'same command'
  | 'same request'
  | 'session'
  | 'seeds'
  | 'settles'
  | 'reveals'
  | 'funds'
  | 'resolves'
  | 'withdrawal';

/** From cause to effect, by positions. */
interface Edge {
  readonly from: number;
  readonly to: number;
  readonly relation: Relation;
}

/** Causes and effects of the event at a position; null without an event. Throws `PositionNotReached`. */
export async function readGraph(pool: pg.Pool, position: number) {
  const event = await readEvent(pool, position);
  if (!event) return null;
  await assertReached(pool, entries, position);
  const graph = new GraphBuilder(pool);
  await graph.build(event);
  return graph.finish();
}

function nodeOf({ position, event, time, stream, meta }: RecordedEvent) {
  const { id } = parseStream(stream);
  const { facts, text } = sentenceOf(event);
  return {
    position,
    type: event.type,
    time,
    stream,
    actor: meta.actor,
    facts: factsAnswer(facts),
    label: text,
    amounts: sumsOf(postings(event, id).filter(({ account }) => account === `player:${id}`)),
    signature: 'signature' in event.data ? event.data.signature : null,
  };
}

const SOURCES_OF_POINTS: readonly EventType[] = ['Exchanged', 'WelcomeGranted'];

/** Collects entries of the explorer and the edges between them. */
class GraphBuilder {
  private readonly found = new Map<number, ExplorerEntry>();
  private readonly edges = new Map<string, Edge>();
  private truncated = false;
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  async build({ position }: RecordedEvent): Promise<void> {
    const [own] = await this.take({ fromPosition: position, toPosition: position });
    if (!own) return;
    await this.addRequest(own);
    const group = await this.groupOf(own);
    for (const entry of group) await this.addCauses(entry);
    await this.addEffects(own);
  }

  async finish() {
    const positions = [...this.found.keys()].sort((a, b) => a - b);
    const read = await Promise.all(positions.map((position) => readEvent(this.pool, position)));
    const events = read.filter((event) => event !== null);
    const edges = [...this.edges.values()].filter(
      ({ from, to }) => this.found.has(from) && this.found.has(to),
    );
    return { nodes: events.map(nodeOf), edges, truncated: this.truncated };
  }

  /** Events of the same request, also of several commands. */
  private async addRequest(own: ExplorerEntry): Promise<void> {
    const entries = await this.take({ correlation: own.correlation }, NODES_MAX / 2);
    const ordered = entries.toSorted((a, b) => a.position - b.position);
    ordered.forEach((entry, index) => {
      const before = ordered[index - 1];
      if (!before || entry.position - before.position > EVENTS_PER_COMMAND_MAX) return;
      const relation = before.command === entry.command ? 'same command' : 'same request';
      this.link(before, entry, relation);
    });
  }

  /** All events of its round, withdrawal or transaction; else only the event itself. */
  private async groupOf(own: ExplorerEntry): Promise<readonly ExplorerEntry[]> {
    if (own.round) {
      const [placed, ...ends] = await this.takeInOrder({ round: own.round });
      for (const end of ends) if (placed) this.link(placed, end, 'settles');
      return placed ? [placed] : [own];
    }
    if (own.withdrawal) {
      const steps = await this.takeInOrder({ withdrawal: own.withdrawal });
      steps.forEach((step, index) => {
        const before = steps[index - 1];
        if (before) this.link(before, step, 'withdrawal');
      });
      return steps.slice(0, 1);
    }
    if (own.signature) {
      const steps = await this.takeInOrder({ signature: own.signature });
      steps.forEach((step, index) => {
        const before = steps[index - 1];
        if (before) this.link(before, step, 'resolves');
      });
      return steps.slice(-1);
    }
    return [own];
  }

  /** Adds causes: the login, the seeds, the source of the money. */
  private async addCauses(entry: ExplorerEntry): Promise<void> {
    const wallet = entry.player?.wallet;
    if (!wallet || entry.type === 'PlayerRegistered') return;
    if (entry.type !== 'SessionStarted') await this.cause(entry, ['SessionStarted'], 'session');
    if (entry.type === 'BetPlaced') {
      await this.cause(entry, ['SeedsCommitted'], 'seeds');
      const revealed = await this.effect(entry, ['SeedRevealed'], 1);
      for (const reveal of revealed) this.link(entry, reveal, 'reveals');
    }
    const source = await this.fundsOf(entry);
    if (source?.type === 'Exchanged') await this.fundsOf(source);
  }

  private async fundsOf(entry: ExplorerEntry): Promise<ExplorerEntry | null> {
    const { pointsMinor, tokenMinor } = entry;
    if (pointsMinor !== null && pointsMinor < 0n && entry.type === 'BetPlaced') {
      return this.cause(entry, SOURCES_OF_POINTS, 'funds');
    }
    if (tokenMinor !== null && tokenMinor < 0n) {
      return this.cause(entry, ['DepositCredited'], 'funds');
    }
    return null;
  }

  /** Adds effects outside the group of the event. */
  private async addEffects(own: ExplorerEntry): Promise<void> {
    if (own.type === 'SessionStarted') {
      const effects = await this.effect(own, EVENTS_OF_SESSION, EFFECTS_OF_LOGIN_MAX);
      for (const effect of effects) {
        if (effect.type === 'SessionStarted') break;
        this.link(own, effect, 'session');
      }
    }
    if (own.type === 'DepositCredited') {
      const [spent] = await this.effect(own, ['Exchanged', 'WithdrawalRequested'], 1);
      if (spent) this.link(own, spent, 'funds');
    }
    if (own.type === 'Exchanged' && (own.pointsMinor ?? 0n) > 0n) {
      const [bet] = await this.effect(own, ['BetPlaced'], 1);
      if (bet) this.link(own, bet, 'funds');
    }
    if (own.type === 'SeedsCommitted') {
      const [bet, reveal] = await Promise.all([
        this.effect(own, ['BetPlaced'], 1),
        this.effect(own, ['SeedRevealed'], 1),
      ]);
      for (const one of [...bet, ...reveal]) this.link(own, one, 'seeds');
    }
  }

  /** The last event of these types before the entry, of the same player. */
  private async cause(
    entry: ExplorerEntry,
    types: readonly EventType[],
    relation: Edge['relation'],
  ): Promise<ExplorerEntry | null> {
    const wallet = entry.player?.wallet;
    if (entry.position === 1) return null;
    const filter = { wallet, types, toPosition: entry.position - 1 };
    const [last] = await this.take(filter, 1);
    if (!last) return null;
    this.link(last, entry, relation);
    return last;
  }

  /** The first events of these types after the entry, of the same player. */
  private async effect(
    { player, position }: ExplorerEntry,
    types: readonly EventType[],
    limit: number,
  ): Promise<readonly ExplorerEntry[]> {
    const filter = { wallet: player?.wallet, types };
    const { entries } = await readSince(this.pool, { filter, after: position, limit });
    return entries.filter((entry) => this.keep(entry));
  }

  private async take(filter: ExplorerFilter, limit = NODES_MAX): Promise<readonly ExplorerEntry[]> {
    const { entries, next } = await readExplorer(this.pool, { filter, limit });
    if (next !== null && limit > 1) this.truncated = true;
    return entries.filter((entry) => this.keep(entry));
  }

  private async takeInOrder(filter: ExplorerFilter): Promise<readonly ExplorerEntry[]> {
    return (await this.take(filter)).toSorted((a, b) => a.position - b.position);
  }

  private keep(entry: ExplorerEntry): boolean {
    if (this.found.has(entry.position)) return true;
    if (this.found.size >= NODES_MAX) {
      this.truncated = true;
      return false;
    }
    this.found.set(entry.position, entry);
    return true;
  }

  /** Adds an edge. The first relation between two events wins. */
  private link(from: ExplorerEntry, to: ExplorerEntry, relation: Edge['relation']): void {
    const key = `${from.position} ${to.position}`;
    if (!this.edges.has(key) && from.position < to.position) {
      this.edges.set(key, { from: from.position, to: to.position, relation });
    }
  }
}

/** Events of a session; the next login ends it. */
const EVENTS_OF_SESSION: readonly EventType[] = [
  'SessionStarted',
  'BetPlaced',
  'Exchanged',
  'WithdrawalRequested',
  'SeedRevealed',
  'NicknameChanged',
  'LimitSet',
  'SelfExcluded',
];
