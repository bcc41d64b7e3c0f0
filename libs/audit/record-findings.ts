import { createHash } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { canonical } from '@reelbook/ledger/codec';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { AuditFinding, FindingSubject } from '@reelbook/ledger/operators/findings';
import { OPERATORS_STREAM, TREASURY_STREAM, WALLET_PATTERN } from '@reelbook/ledger/streams';
import { toPlainText } from '@reelbook/ledger/text';
import type pg from 'pg';
import { type Check, type Finding, type Findings, NO_MONEY } from './findings.ts';

const MESSAGE_MAX_LENGTH = 300;

/** The row itself is wrong, so its stream may be wrong as well. */
const OF_THE_LEDGER: readonly Check[] = [
  ...(['positions', 'chain', 'columns', 'versions', 'seals', 'anchors', 'head'] as const),
  'receipts',
];
const OF_THE_TREASURY: readonly Check[] = ['treasury', 'payments'];

/**
 * Appends what a completed audit found and the ledger does not know yet. What an audit does not find any more stays open:
 * otherwise a row that is put back before the next audit would close it. Throws the command executor's errors.
 */
export async function recordFindings(
  pool: pg.Pool,
  audit: {
    readonly events: number;
    readonly headHash: string;
    readonly findings: Pick<Findings, 'kept' | 'count'>;
  },
): Promise<void> {
  const { events: auditedTo, headHash, findings } = audit;
  if (findings.count === 0) return;
  const streams = await readStreams(pool, findings.kept);
  const all = findings.kept.map((one) => answer(one, subjectOf(one, streams)));
  const byDigest = new Map(all.flatMap((one) => (one ? [[one.digest, one]] : [])));
  const total = findings.count - all.filter((one) => one === null).length;
  const rest = answer(
    { check: 'states', position: null, message: `${total} findings, more than are recorded` },
    'ledger',
  );
  const command = {
    ...({ type: 'RecordFindings', auditedTo, headHash, total, rest } as const),
    findings: [...byDigest.values()],
  };
  const executor = startExecutor({ pool });
  try {
    await executor.execute({
      decider: operatorsDecider,
      stream: OPERATORS_STREAM,
      idempotencyKey: null,
      request: null,
      meta: { actor: 'system:auditor', correlation: `audit:${auditedTo}` },
      prepare: async () => ({ command, configVersion: null }),
    });
  } finally {
    await executor.close();
  }
}

/** Names of the streams of the events, by position. By the column: the text of an altered event may name another one. */
async function readStreams(
  pool: pg.Pool,
  findings: readonly Finding[],
): Promise<ReadonlyMap<number | null, string>> {
  const positions = findings.flatMap(({ position }) => position ?? []);
  const { rows } = await pool.query<{ position: number; name: string }>(
    `select position, name from events join streams on streams.key = events.stream
      where position = any($1)`,
    [positions],
  );
  return new Map(rows.map(({ position, name }) => [position, name]));
}

/** Null: no money depends on it. */
function subjectOf(
  { check, position, about }: Finding,
  streams: ReadonlyMap<number | null, string>,
): FindingSubject | null {
  if (about === NO_MONEY) return null;
  if (OF_THE_LEDGER.includes(check)) return 'ledger';
  const stream = about ?? streams.get(position) ?? '';
  const player = stream.replace(/^player-/, '');
  if (player !== stream && WALLET_PATTERN.test(player)) return `player:${player}`;
  return stream === TREASURY_STREAM || OF_THE_TREASURY.includes(check) ? 'treasury' : 'ledger';
}

function answer(finding: Finding, subject: FindingSubject): AuditFinding;
function answer(finding: Finding, subject: FindingSubject | null): AuditFinding | null;
function answer(
  { check, position, message: full }: Finding,
  subject: FindingSubject | null,
): AuditFinding | null {
  if (subject === null) return null;
  const message = toPlainText(full, MESSAGE_MAX_LENGTH);
  // The figures of a current state change with each audit; an event does not change.
  const same = position === null ? full.replace(/\d+(\.\d+)?( points?\b)?/g, '0') : full;
  const digest = createHash('sha256').update(canonical([check, position, subject, same]));
  return { digest: digest.digest('hex'), check, position, subject, message };
}
