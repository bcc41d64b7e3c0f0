import { Button } from '@reelbook/web/components/button';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { seeds } from '../../lib/seeds.ts';
import { session } from '../../lib/session-store.ts';
import { Formula } from './formula.tsx';
import { RevealedSeeds } from './revealed-seeds.tsx';
import { RotateForm } from './rotate-form.tsx';
import { SeedCards } from './seed-cards.tsx';
import { VerifyForm } from './verify-form.tsx';

/** How every result can be checked: the seeds, the formula, and a form to try it. */
export function Fairness() {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  return (
    <>
      <header className="mb-6 max-w-[640px]">
        <h1 className="text-2xl">{t('nav.fairness')}</h1>
        <p className="mt-2 text-fg-2">{t('fairness.lead')}</p>
      </header>
      {signedIn ? (
        <MySeeds />
      ) : (
        <div className="mb-6 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-ink-1 px-5 py-4">
          <p className="text-fg-2">{t('fairness.visitor')}</p>
          <Button look="primary" onClick={openConnectDialog}>
            {t('connect.button')}
          </Button>
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2 lg:gap-6">
        <VerifyForm />
        <Formula />
      </div>
    </>
  );
}

function MySeeds() {
  const { data, isError, refetch } = useQuery(seeds);
  if (!data && isError) return <LoadFailed retry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={5} />;
  return (
    <>
      <SeedCards seeds={data} />
      <RotateForm />
      <RevealedSeeds revealed={data.revealed} />
    </>
  );
}
