import { useStore } from '@reelbook/web/store';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type LiveChannel, liveChannel } from '../lib/live.ts';
import { online } from '../lib/online.ts';

/** Shows when the network or the live updates have stopped, with a reconnect button. */
export function LiveState() {
  const { t } = useTranslation();
  const channel = useStore(liveChannel);
  const isOnline = useStore(online);
  if (!isOnline) return <Pill text={t('live.offline')} />;
  return channel && <DroppedChannel channel={channel} />;
}

function DroppedChannel({ channel }: { channel: LiveChannel }) {
  const { t } = useTranslation();
  const state = useStore(channel.state);
  if (state !== 'retrying' && state !== 'lost') return null;
  return (
    <Pill text={t(state === 'lost' ? 'live.lost' : 'live.retrying')}>
      {state === 'lost' && (
        <button
          type="button"
          onClick={() => channel.reconnect()}
          className="min-h-11 rounded-sm px-3 font-semibold text-brass hover:bg-ink-3"
        >
          {t('live.reconnect')}
        </button>
      )}
    </Pill>
  );
}

function Pill({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="live-state" role="status">
      <span className="size-2 shrink-0 rounded-full bg-coral" aria-hidden="true" />
      <span className="flex-1 py-2.5">{text}</span>
      {children}
    </div>
  );
}
