import { buttonClass } from '@reelbook/web/components/button';
import { Link, useLocation } from 'react-router';
import { paths } from '../lib/paths.ts';

export function NotFound() {
  const { pathname } = useLocation();
  return (
    <div className="flex flex-col items-start gap-4 py-12">
      <h1 className="text-xl">Page not found</h1>
      <p className="text-fg-2">There is no page at {pathname}.</p>
      <Link to={paths.explorer} className={buttonClass('primary')}>
        Explorer
      </Link>
    </div>
  );
}
