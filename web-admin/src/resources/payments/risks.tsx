import { risks as english } from '@reelbook/contract/english';
import { Badge } from '@reelbook/web/components/badge';
import { Sentence } from '../../components/sentence.tsx';
import type { Withdrawal } from './data.ts';

const HEAVY = 2;
const TEMPLATES: Readonly<Record<string, string>> = english;

/** Risk flags of a withdrawal. Brass: check. Coral: likely a reason to deny. */
export function Risks({ risks }: { risks: Withdrawal['risks'] }) {
  if (risks.length === 0) return <span className="text-fg-3 text-xs">none</span>;
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {risks.map(({ code, facts, text, weight }) => (
        <Badge key={code} tone={weight >= HEAVY ? 'bad' : 'brass'}>
          <Sentence template={TEMPLATES[code]} facts={facts} text={text} />
        </Badge>
      ))}
    </span>
  );
}
