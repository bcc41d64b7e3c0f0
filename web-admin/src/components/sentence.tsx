import type { Fact, Hold as HoldFact } from '@reelbook/contract/admin/common';
import type { AdminData } from '@reelbook/contract/admin/routes';
import i18next from 'i18next';
import { useTexts } from '../lib/texts.ts';
import { dateTimeText } from '../lib/times.ts';
import { Amount } from './chips.tsx';
import { WalletNamed } from './operator-name.tsx';

type Facts = AdminData<'statement'>['lines'][number]['facts'];

/** Of a player, round, withdrawal or adjustment. */
const ID = /^[0-9a-z]{16}(?:-[aw]?\d+)?$/;
const FACT_NAME = /\{\{(\w+)\}\}/;

/**
 * A text of the server, translated by its key and facts. Shows the server's English `text` if this build does not know the
 * key. Long names are shortened; the title attribute has the full name.
 */
export function Sentence(props: { of: string; facts: Facts; text: string }) {
  const { of, facts, text } = props;
  const { t } = useTexts();
  if (!i18next.exists(of, { ns: 'console' })) return <span lang="en">{text}</span>;
  // Split, not interpolated: text that a person wrote stays unchanged, and amounts keep their format.
  const parts = t(of as 'sentence.BetPlaced', { skipInterpolation: true }).split(FACT_NAME);
  return (
    <span>
      {parts.map((part, index) =>
        // Every second part is the name of a fact. The order of the parts never changes.
        index % 2 === 0 ? part : <FactText key={part} fact={facts[part]} />,
      )}
    </span>
  );
}

function FactText({ fact }: { fact: Fact | undefined }) {
  const { t } = useTexts();
  if (typeof fact === 'string' && ID.test(fact)) {
    return <span className="font-mono text-xs">{fact}</span>;
  }
  // A text that a person wrote: its direction must not change the order of the rest.
  if (typeof fact !== 'object') return <bdi>{fact}</bdi>;
  if ('asset' in fact) return <Amount amount={fact} />;
  if ('name' in fact) return <Name name={fact.name} />;
  if ('term' in fact) return <Term term={fact.term} />;
  if ('hold' in fact) return <Hold hold={fact.hold} />;
  return fact.until === null ? t('forGood') : t('until', { time: dateTimeText(fact.until) });
}

/** Why a withdrawal is on hold. */
export function Hold({ hold: { code, facts, text } }: { hold: HoldFact }) {
  return <Sentence of={`hold.${code}`} facts={facts} text={text} />;
}

/** A wallet, `operator:<wallet>` or `house`. */
function Name({ name }: { name: string }) {
  const id = name.slice(name.indexOf(':') + 1);
  if (id.length < 32) return <Term term={id} />;
  return <WalletNamed wallet={id} />;
}

/** A term of the ledger; unchanged if this build does not know it. */
export function Term({ term }: { term: string }) {
  const { t } = useTexts();
  const key = `term.${term}`;
  return i18next.exists(key, { ns: 'console' }) ? t(key as 'term.none') : term;
}
