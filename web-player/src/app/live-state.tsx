import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { liveChannel } from '../lib/live.ts';
import type { LiveChannel } from '../lib/socket.ts';

/** Shows when live updates have stopped, with a reconnect button. */
export function LiveState() {
  const channel = useStore(liveChannel);
  return channel && <DroppedChannel channel={channel} />;
}

function DroppedChannel({ channel }: { channel: LiveChannel }) {
  const { t } = useTranslation();
  const state = useStore(channel.state);
  if (state !== 'retrying' && state !== 'lost') return null;
  return (
    <div className="live-state" role="status">
      <span className="size-2 shrink-0 rounded-full bg-coral" aria-hidden="true" />
      <span className="flex-1 py-3">{t(state === 'lost' ? 'live.lost' : 'live.retrying')}</span>
      {state === 'lost' && (
        <button
          type="button"
          onClick={() => channel.reconnect()}
          className="min-h-11 rounded-sm px-3 font-semibold text-brass hover:bg-ink-3"
        >
          {t('live.reconnect')}
        </button>
      )}
    </div>
  );
}
