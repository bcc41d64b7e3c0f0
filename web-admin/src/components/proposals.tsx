import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../lib/api.ts';
import { LIVE_EVERY_MS, read } from '../lib/queries.ts';
import { useMay } from '../lib/roles.ts';
import { session } from '../lib/session-store.ts';
import { valueText } from '../lib/setting-texts.ts';
import { useTexts } from '../lib/texts.ts';
import { agoText, dateTimeText } from '../lib/times.ts';
import { ActDialog } from './act-dialog.tsx';
import { Actor, PositionChip } from './chips.tsx';
import { Panel } from './panel.tsx';
import { SettingName } from './setting-name.tsx';

export type Proposal = AdminData<'proposals'>[number];
interface Asked {
  readonly act: 'confirm' | 'withdraw';
  readonly of: Proposal;
}

const SECOND_MS = 1_000;

/** What two people have to want, with who wants it and until when it can still be stopped. None: nothing is shown. */
export function Proposals({ only = () => true }: { only?: (proposal: Proposal) => boolean }) {
  const { t } = useTexts();
  const { data } = useQuery({ ...read('proposals'), refetchInterval: LIVE_EVERY_MS });
  const [asked, setAsked] = useState<Asked | null>(null);
  const shown = data?.filter(only) ?? [];
  return (
    <>
      {shown.length > 0 && (
        <Panel title={t('proposals.title')}>
          {shown.map((one) => (
            <One key={`${one.subject} ${one.number}`} of={one} onAsk={setAsked} />
          ))}
        </Panel>
      )}
      {asked && <AnswerDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function One({ of, onAsk }: { of: Proposal; onAsk(asked: Asked): void }) {
  const { t } = useTexts();
  const may = useMay();
  const { canConfirm, text } = useStanding(of);
  return (
    <section className="border-line border-b py-3 text-sm last:border-0" data-testid="proposal">
      <p className="flex items-center justify-between gap-3">
        <Badge tone="brass">{text}</Badge>
        <PositionChip position={of.position} />
      </p>
      <What of={of} />
      <p className="mt-1 wrap-anywhere text-fg-2">
        <Actor actor={of.by} />: {of.reason}
      </p>
      {of.approvals.map((actor) => (
        <p key={actor} className="text-fg-2">
          {t('proposals.approved')} <Actor actor={actor} />
        </p>
      ))}
      <p className="text-fg-3 text-xs">
        {t('proposals.until', { time: dateTimeText(of.expires_at).slice(0, 16) })}
      </p>
      {may('operator') && (
        <p className="mt-2 flex flex-wrap gap-2">
          {may(of.needs.role) && (
            <Button
              size="small"
              look="primary"
              disabled={!canConfirm}
              onClick={() => onAsk({ act: 'confirm', of })}
            >
              {t('proposals.confirm')}
            </Button>
          )}
          <Button size="small" onClick={() => onAsk({ act: 'withdraw', of })}>
            {t('proposals.withdraw')}
          </Button>
        </p>
      )}
    </section>
  );
}

function What({ of: { changes, role } }: { of: Proposal }) {
  const { t } = useTexts();
  return (
    <div className="diff mt-2 grid gap-1">
      {changes.map(({ path, before, after }) => (
        <div key={path} className="wrap-anywhere">
          <SettingName path={path} />
          <span className="diff-out">{valueText(path, before) || '—'}</span> →{' '}
          <span className="diff-in">{valueText(path, after) || '—'}</span>
        </div>
      ))}
      {role && (
        <p className="wrap-anywhere">
          <span className="diff-path">{role.operator}</span>{' '}
          <span className="diff-out">{role.before ? t(`role.${role.before}`) : '—'}</span> →{' '}
          <span className="diff-in">{t(`role.${role.after}`)}</span>
        </p>
      )}
    </div>
  );
}

/** What is to be waited for. The server decides; the page hides what it would refuse. */
function useStanding(of: Proposal): { readonly canConfirm: boolean; readonly text: string } {
  const { t } = useTexts();
  const me = useStore(session)?.operator;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  if (Date.parse(of.expires_at) < now) return { canConfirm: false, text: t('proposals.expired') };
  if (of.outdated) return { canConfirm: false, text: t('proposals.outdated') };
  const wanted = [of.by, ...of.approvals];
  const isMine = wanted.includes(`operator:${me}`);
  const people = wanted.filter((actor) => actor.startsWith('operator:')).length;
  // One approval more takes no wait: only the effect does.
  const isApproval = people + 1 < of.needs.people;
  const waitMs = Date.parse(of.confirm_from) - now;
  if (waitMs > 0 && !isApproval) {
    const wait = agoText(Math.ceil(waitMs / SECOND_MS));
    return { canConfirm: false, text: t('proposals.waits', { wait }) };
  }
  if (isMine) return { canConfirm: false, text: t('proposals.another') };
  return { canConfirm: true, text: t('proposals.ready') };
}

function AnswerDialog({ asked, onClose }: { asked: Asked; onClose(): void }) {
  const { t } = useTexts();
  const { act, of } = asked;
  const { subject, number, role, changes } = of;
  const isConfirm = act === 'confirm';
  const isRole = subject === 'roles';
  return (
    <ActDialog
      title={t(isConfirm ? 'proposals.confirmTitle' : 'proposals.withdrawTitle')}
      action={t(isConfirm ? 'proposals.confirm' : 'proposals.withdraw')}
      preview={{
        type: isConfirm ? effectOf(of) : isRole ? 'RoleWithdrawn' : 'ConfigChangeWithdrawn',
        stream: isRole ? 'operators' : 'config',
        facts: [
          [t('proposals.number'), number],
          ...changes.map(
            ({ path, before, after }) =>
              [path, `${valueText(path, before)} → ${valueText(path, after)}`] as const,
          ),
          ...(role
            ? [[shortAddress(role.operator), `${role.before ?? '—'} → ${role.after}`] as const]
            : []),
        ],
      }}
      onAct={({ reason, idempotencyKey }) =>
        api.call(isConfirm ? 'confirmProposal' : 'withdrawProposal', {
          params: { subject, number: String(number) },
          body: { reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    />
  );
}

function effectOf({ subject, role, by, approvals, needs }: Proposal): string {
  const people = [by, ...approvals].filter((actor) => actor.startsWith('operator:')).length;
  if (people + 1 < needs.people) {
    return subject === 'roles' ? 'RoleApproved' : 'ConfigChangeApproved';
  }
  if (subject === 'configuration') return 'ConfigChanged';
  return role?.before ? 'OperatorRoleChanged' : 'OperatorAdded';
}
