import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { useDeferredValue, useState } from 'react';
import { useRead } from '../lib/queries.ts';
import { StandingOf } from './chips.tsx';

const SHOWN_MAX = 6;
const TYPED_MAX = 60;

/** Selects a player by wallet, public ID or nickname: each from its start, a wallet also by its end. */
export function PlayerField(props: { wallet: string; onChange(wallet: string): void }) {
  const { wallet, onChange } = props;
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed).trim();
  const { data } = useRead(
    'players',
    { query: { q, limit: SHOWN_MAX + 1 } },
    { enabled: wallet === '' && q !== '' },
  );
  if (wallet !== '') return <Chosen wallet={wallet} onClear={() => onChange('')} />;
  const found = data?.players ?? [];
  const isNone = q !== '' && data !== undefined && found.length === 0;
  return (
    <div>
      <Field
        label="Wallet, public ID or nickname"
        value={typed}
        onChange={setTyped}
        maxLength={TYPED_MAX}
        error={isNone ? 'No player found.' : null}
      />
      <ul className="mt-1 empty:hidden" aria-label="Players found">
        {found.slice(0, SHOWN_MAX).map((player) => (
          <li key={player.wallet}>
            <button
              type="button"
              className="flex min-h-11 w-full flex-wrap items-center gap-x-2 rounded-sm px-2 py-1 text-left text-sm hover:bg-ink-3"
              onClick={() => onChange(player.wallet)}
            >
              {player.nickname !== null && <bdi>{player.nickname}</bdi>}
              <span className="font-mono text-fg-2 text-xs">{player.public_id}</span>
              <span className="break-all font-mono text-fg-3 text-xs">{player.wallet}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > SHOWN_MAX && (
        <p className="text-fg-3 text-xs">
          The first {SHOWN_MAX} players are shown. Type more to find the others.
        </p>
      )}
    </div>
  );
}

function Chosen({ wallet, onClear }: { wallet: string; onClear(): void }) {
  const { data } = useRead('players', { query: { q: wallet, limit: 1 } });
  const player = data?.players.find((one) => one.wallet === wallet);
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-sm border border-line px-3 py-2">
      <div className="min-w-0">
        <p>
          {player?.nickname && <bdi className="mr-1.5 text-sm">{player.nickname}</bdi>}
          <span className="break-all font-mono text-fg-2 text-xs">{wallet}</span>
        </p>
        {player && <StandingOf standing={player.standing} />}
      </div>
      <Button size="small" onClick={onClear}>
        Other player
      </Button>
    </div>
  );
}
