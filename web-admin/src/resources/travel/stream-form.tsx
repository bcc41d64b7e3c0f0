import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTexts } from '../../lib/texts.ts';

const STREAMS = ['config', 'treasury', 'seals', 'operators'] as const;
const STREAM_MAX = 60;

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
  const { t } = useTexts();
  const [stream, setStream] = useStream();
  const [typed, setTyped] = useState(stream);
  return (
    <form
      className="mb-4 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setStream(typed.trim());
      }}
    >
      <div className="min-w-0 flex-1 basis-72">
        <Field
          label={t('travel.stream')}
          value={typed}
          onChange={setTyped}
          maxLength={STREAM_MAX}
        />
      </div>
      <Button type="submit" look="primary">
        {t('travel.show')}
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
