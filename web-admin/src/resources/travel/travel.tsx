import { Tabs } from '@reelbook/web/components/tabs';
import { useSearchParams } from 'react-router';
import { PageHead } from '../../components/panel.tsx';
import { useAt } from '../../lib/point-in-time.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Difference } from './difference.tsx';
import { StateView } from './state-view.tsx';

const VIEWS = ['state', 'difference'] as const;
type View = (typeof VIEWS)[number];

const LABELS = {
  state: 'State',
  difference: 'Difference',
};

/** The ledger at a point in time: state of a stream, and differences to another point in time. */
export function Travel() {
  useTitle('Time travel');
  const [at] = useAt();
  const [search, setSearch] = useSearchParams();
  const named = search.get('view');
  const view = VIEWS.find((one) => one === named) ?? 'state';
  const show = (next: View) =>
    setSearch(
      (now) => {
        now.set('view', next);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <>
      <PageHead title="Time travel">
        The ledger at the selected point in time, computed from its events.
      </PageHead>
      <Tabs
        label="Time travel"
        names={VIEWS}
        value={view}
        onChange={show}
        titleOf={(one) => LABELS[one]}
      >
        {view === 'state' && <StateView at={at} />}
        {view === 'difference' && <Difference at={at} />}
      </Tabs>
    </>
  );
}
