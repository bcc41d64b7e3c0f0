import type { Job } from '@reelbook/contract/admin/jobs';
import type { Condition, Problem } from '@reelbook/runtime/alerts/condition';
import type pg from 'pg';
import { readLastAudit } from './jobs.ts';

type AuditAlert = 'audit-findings' | 'audit-incomplete';

/** The last audit of the console found something, or did not check everything. */
export function auditConditions(pool: pg.Pool): readonly Condition[] {
  return (['audit-findings', 'audit-incomplete'] as const).map((name) => ({
    name,
    async find() {
      const job = await readLastAudit(pool);
      const judged = job && judge(job);
      return judged?.alert === name ? [judged.problem] : [];
    },
  }));
}

function judge({ id, audit, error, state, ended_at: since }: Job): {
  readonly alert: AuditAlert;
  readonly problem: Problem;
} | null {
  const about = { subject: `job ${id}`, ...(since === null ? {} : { since }) };
  const incomplete = (why: string) => {
    const text = `the audit of the console (job ${id}) ${why}`;
    return { alert: 'audit-incomplete', problem: { ...about, text } } as const;
  };
  if (!audit) return incomplete(`ended without a result: ${error ?? state}`);
  const { clean, findings, first, unproven = [] } = audit;
  if (clean) return unproven.length === 0 ? null : incomplete(`is unproven: ${unproven[0]}`);
  const text = `the audit of the console (job ${id}) has ${findings} findings; the first: ${first?.message}`;
  const facts = { findings, position: first?.position ?? null };
  return { alert: 'audit-findings', problem: { ...about, text, facts } };
}
