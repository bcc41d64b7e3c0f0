import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../lib/queries.ts';

/** Names the stopped functions on every page. */
export function PausedNote() {
  const here = useHere();
  const { data } = useQuery({ ...read('switches'), refetchInterval: CALM_EVERY_MS });
  const off = data?.filter(({ on }) => !on) ?? [];
  if (off.length === 0) return null;
  return (
    <p className="time-note contact-note" data-testid="paused">
      <Link to={here(paths.overview)} className="underline">
        Stopped:{' '}
        {off.map(({ switch: name, title }, at) => (
          <Fragment key={name}>
            {at > 0 && ' · '}
            {title}
          </Fragment>
        ))}
      </Link>
    </p>
  );
}
