import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '../../lib/api.ts';
import { toastRefusal } from '../../lib/refusal-text.ts';

const STREAMS = ['config', 'treasury', 'seals', 'operators'] as const;
const STREAM_MAX = 60;
const COMPLETE = /^([1-9A-HJ-NP-Za-km-z]{32,44}|player-.+|config|treasury|seals|operators)$/;

/** The stream in the URL; empty for none. */
export function useStream(): readonly [string, (stream: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (stream: string) =>
    setSearch(
      (now) => {
        if (stream) now.set('stream', stream);
        else now.delete('stream');
        return now;
      },
      { preventScrollReset: true },
    );
  return [search.get('stream') ?? '', set];
}

/** Selects a wallet or a system stream. */
export function StreamForm() {
  const [stream, setStream] = useStream();
  const [typed, setTyped] = useState(stream);
  const [fault, setFault] = useState('');
  /** A complete name is shown; any other text is looked up as a player. */
  async function show(): Promise<void> {
    const text = typed.trim();
    setFault('');
    if (text === '' || COMPLETE.test(text)) {
      setStream(text);
      return;
    }
    try {
      const { matches } = await api.call('find', { query: { q: text } });
      const players = matches.filter(({ kind }) => kind === 'player');
      const [player] = players;
      if (player?.wallet && players.length === 1) setStream(player.wallet);
      else
        setFault(
          players.length === 0
            ? `No player found for ${text}.`
            : `More than one player matches ${text}. Type more characters.`,
        );
    } catch (error) {
      toastRefusal(error);
    }
  }
  return (
    <form
      className="mb-4 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void show();
      }}
    >
      <div className="min-w-0 flex-1 basis-72">
        <Field label="Wallet or stream" value={typed} onChange={setTyped} maxLength={STREAM_MAX} />
        {fault && (
          <p role="alert" className="mt-1 text-coral text-sm">
            {fault}
          </p>
        )}
      </div>
      <Button type="submit" look="primary">
        Show
      </Button>
      {STREAMS.map((name) => (
        <Button
          key={name}
          aria-pressed={stream === name}
          onClick={() => {
            setTyped(name);
            setStream(name);
          }}
        >
          {name}
        </Button>
      ))}
    </form>
  );
}
