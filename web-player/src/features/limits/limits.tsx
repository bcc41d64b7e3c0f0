import { Card } from '@reelbook/web/components/card';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { protection } from '../../lib/protection.ts';
import { session } from '../../lib/session-store.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { Exclusion } from './exclusion.tsx';
import { LimitForm } from './limit-form.tsx';
import { LimitRows } from './limit-rows.tsx';
import { RealityCheckForm } from './reality-check-form.tsx';
import { SessionCard } from './session-card.tsx';

/** The player's own protection: limits, exclusion and reminders, all recorded in the ledger. */
export function Limits() {
  const { t } = useTranslation();
  const signedIn = useStore(session);
  if (!signedIn) return <Visitor title={t('nav.limits')}>{t('limits.visitor')}</Visitor>;
  return (
    <>
      <h1 className="text-2xl">{t('nav.limits')}</h1>
      <p className="mt-1 mb-5 max-w-[640px] text-fg-2">{t('limits.lead')}</p>
      <Settings key={signedIn.user.wallet_address} />
    </>
  );
}

function Settings() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(protection);
  const closed = useClosed();
  if (!data) {
    return (
      <Card title={t('limits.title')}>
        {isError ? <LoadFailed retry={() => void refetch()} /> : <SkeletonRows count={6} />}
      </Card>
    );
  }
  return (
    <>
      {closed && (
        <div className="mb-4 lg:mb-6">
          <ClosedPanel closed={closed} />
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px] lg:gap-6">
        <div className="grid gap-4 lg:gap-6">
          <Card title={t('limits.title')}>
            <LimitRows limits={data.limits} />
            <LimitForm />
          </Card>
          <SessionCard />
        </div>
        <div className="grid gap-4 lg:gap-6">
          <RealityCheckForm check={data.reality_check} />
          <Exclusion />
        </div>
      </div>
    </>
  );
}
