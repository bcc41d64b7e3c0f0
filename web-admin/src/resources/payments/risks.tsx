import { Badge } from '@reelbook/web/components/badge';
import { Sentence } from '../../components/sentence.tsx';
import { useTexts } from '../../lib/texts.ts';
import type { Withdrawal } from './data.ts';

const HEAVY = 2;

/** What a person should look at before money leaves: brass is worth a look, coral is stop and think. */
export function Risks({ risks }: { risks: Withdrawal['risks'] }) {
  const { t } = useTexts();
  if (risks.length === 0) return <span className="text-fg-3 text-xs">{t('desk.noRisk')}</span>;
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {risks.map(({ code, facts, text, weight }) => (
        <Badge key={code} tone={weight >= HEAVY ? 'bad' : 'brass'}>
          <Sentence of={`risk.${code}`} facts={facts} text={text} />
        </Badge>
      ))}
    </span>
  );
}
