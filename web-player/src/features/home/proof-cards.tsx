import { ArrowIcon } from '@reelbook/web/components/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';

const CARDS = [
  { key: 'fast', to: paths.slotMachine },
  { key: 'fair', to: paths.fairness },
  { key: 'open', to: paths.leaderboard },
] as const;

/** Three promises, each with the page where it can be checked. */
export function ProofCards() {
  const { t } = useTranslation();
  return (
    <section className="mt-12">
      <h2 className="mb-4 text-xl">{t('home.why')}</h2>
      <div className="grid gap-4 md:grid-cols-3">
        {CARDS.map(({ key, to }) => (
          <Link
            key={key}
            to={to}
            className="group flex flex-col rounded-lg border border-line bg-ink-1 px-5 py-5 transition-colors duration-150 hover:border-line-strong"
          >
            <h3 className="text-lg">{t(`home.${key}.title`)}</h3>
            <p className="mt-2 mb-5 flex-1 text-fg-2 text-sm">{t(`home.${key}.text`)}</p>
            <span className="flex items-center gap-2 font-medium text-brass text-sm">
              {t(`home.${key}.link`)}
              <ArrowIcon />
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}
