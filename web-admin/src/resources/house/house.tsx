import { Now } from '../../components/now.tsx';
import { PageHead } from '../../components/panel.tsx';
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { AccountOfHouse } from './account.tsx';
import { Games } from './games.tsx';
import { Solvency } from './solvency.tsx';

/** One account of the house if it is selected, solvency, and games. */
export function House() {
  const { t } = useTexts();
  useTitle(t('nav.house'));
  return (
    <>
      <PageHead title={t('nav.house')}>{t('solvency.lead')}</PageHead>
      <AccountOfHouse />
      <Solvency />
      <h2 className="mt-8 text-lg">{t('games.title')}</h2>
      <p className="mt-0.5 mb-4 text-fg-2 text-sm">{t('games.lead')}</p>
      <Now>
        <Games />
      </Now>
    </>
  );
}
