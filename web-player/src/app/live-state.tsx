import { loadPart } from '@reelbook/web/load-part';
import { useStore } from '@reelbook/web/store';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LivePill } from '../components/live-pill.tsx';
import { online } from '../lib/online.ts';
import { session } from '../lib/session-store.ts';

const Dropped = lazy(async () => ({
  default: (await loadPart(() => import('../features/session/signed-in.tsx'))).Dropped,
}));

/** Shows when the network or the live updates have stopped. */
export function LiveState() {
  const { t } = useTranslation();
  const isOnline = useStore(online);
  const signedIn = useStore(session) !== null;
  if (!isOnline) return <LivePill text={t('live.offline')} />;
  return (
    signedIn && (
      <Suspense fallback={null}>
        <Dropped />
      </Suspense>
    )
  );
}
