/** Append of bet commands, with all guarantees on, beside other stores on the same Postgres. */
import { openPool } from '@reelbook/event-store/db';
import { startSpine } from '@reelbook/event-store/execute';
import { migrate } from '@reelbook/event-store/migrate';
import type pg from 'pg';
import {
  type Cell,
  closedLoop,
  describe,
  type Sample,
  type Subject,
  summarize,
} from './measure.ts';
import { bare, ours } from './ours.ts';
import { emmett, messageDb, naive } from './peers.ts';
import { makeWallets, registerAll } from './players.ts';

const IN_FLIGHT = 256;
const PEER_WORKERS = [16, 64] as const;

export interface AppendOptions {
  readonly url: string;
  readonly seconds: number;
  readonly rounds: number;
  /** Streams of the large run. */
  readonly many: number;
  say(line: string): void;
}

export async function benchAppend(o: AppendOptions): Promise<void> {
  const owner = openPool({ url: o.url, role: 'owner', max: 2, name: 'bench' });
  await migrate(owner);
  const app = openPool({ url: o.url, role: 'app', max: 4, name: 'bench' });
  const spine = startSpine({ pool: app });
  const run = Date.now().toString(36);
  const thousand = makeWallets(1_000, `${run}k`);
  const many = makeWallets(o.many, `${run}m`);
  o.say(`registering ${thousand.length + many.length} players`);
  await registerAll(spine, [...thousand, ...many]);
  const load = (subject: Subject, workers: number) => ({ subject, workers });
  const cells = [
    load(ours(spine, thousand, 'reelbook, 1,000 players'), IN_FLIGHT),
    load(ours(spine, many, `reelbook, ${o.many.toLocaleString('en-US')} players`), IN_FLIGHT),
    load(ours(spine, thousand.slice(0, 1), 'reelbook, one hot player'), IN_FLIGHT),
    load(await bare(owner), IN_FLIGHT),
  ];
  const peers = [];
  for (const workers of PEER_WORKERS) {
    for (const open of [messageDb, emmett, naive]) {
      const peer = await open(o.url, workers);
      peers.push(peer);
      cells.push(load(peer, workers));
    }
  }
  const results = await inTurn(owner, cells, o);
  report(results, o.say);
  for (const peer of peers) await peer.close();
  await spine.close();
  await app.end();
  await owner.end();
}

/** All cells once, then all again: what drifts on the machine drifts for all of them. */
async function inTurn(
  owner: pg.Pool,
  cells: readonly { subject: Subject; workers: number }[],
  o: AppendOptions,
): Promise<ReadonlyMap<string, Cell>> {
  const samples = new Map<string, Sample[]>();
  for (let round = 1; round <= o.rounds; round++) {
    for (const { subject, workers } of cells) {
      await owner.query('checkpoint');
      const sample = await closedLoop(subject, { workers, seconds: o.seconds });
      const key = `${subject.name} at ${workers}`;
      samples.set(key, [...(samples.get(key) ?? []), sample]);
      o.say(`round ${round}: ${key}: ${Math.round(sample.rate).toLocaleString('en-US')}/s`);
    }
  }
  return new Map([...samples].map(([key, some]) => [key, summarize(some)]));
}

function report(results: ReadonlyMap<string, Cell>, say: (line: string) => void): void {
  say('');
  for (const [key, cell] of results) say(`${key.padEnd(40)} ${describe(cell)}`);
  const rate = (name: string) =>
    Math.max(
      ...[...results].filter(([key]) => key.startsWith(name)).map(([, cell]) => cell.median.rate),
    );
  const whole = rate('reelbook, 1,000');
  const ratio = (name: string, other: number, goal: string) =>
    say(`ratio ${name.padEnd(52)} ${other.toFixed(2)}   (goal ${goal})`);
  say('');
  ratio('to message-db at its best', whole / rate('message-db'), '3.5');
  ratio('to emmett-postgresql at its best', whole / rate('emmett'), '8');
  ratio('to the hand-written service at its best', whole / rate('hand-written'), '6');
  ratio('to bare multi-row INSERT', whole / rate('bare'), '0.65');
  const many = [...results.keys()].find((key) => /reelbook, (?!1,000)\d/.test(key)) ?? '';
  ratio('of many players to 1,000', rate(many) / whole, '0.8');
  ratio('of one hot player to the whole', rate('reelbook, one hot') / whole, '0.33');
}
