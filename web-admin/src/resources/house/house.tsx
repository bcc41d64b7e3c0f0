import { Now } from '../../components/now.tsx';
import { PageHead } from '../../components/panel.tsx';
import { useTitle } from '../../lib/use-title.ts';
import { AccountOfHouse } from './account.tsx';
import { Games } from './games.tsx';
import { Solvency } from './solvency.tsx';

/** One account of the house if it is selected, solvency, and games. */
export function House() {
  useTitle('House');
  return (
    <>
      <PageHead title="House">
        Assets compared with liabilities. Each figure links to its events.
      </PageHead>
      <AccountOfHouse />
      <Solvency />
      <h2 className="mt-8 text-lg">Games & return</h2>
      <p className="mt-0.5 mb-4 text-fg-2 text-sm">
        Revenue by day, and actual return compared with the theoretical return.
      </p>
      <Now>
        <Games />
      </Now>
    </>
  );
}
