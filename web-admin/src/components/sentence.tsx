import type { AdminData } from '@reelbook/admin/answers';
import type { Fact, Hold as HoldFact } from '@reelbook/contract/admin/common';
import { holds } from '@reelbook/contract/english';
import { EVENTS, type EventType } from '@reelbook/ledger/event-types';
import { dateTimeText, timeText } from '../lib/times.ts';
import { Actor, Amount, ChangesText, PositionChip, WalletNamed } from './chips.tsx';

type Facts = AdminData<'statement'>['lines'][number]['facts'];

interface Props {
  readonly facts: Facts;
  /** Of the server; shown if this build does not know the template. */
  readonly text: string;
}

/** Of a player, round, withdrawal or adjustment. */
const ID = /^[0-9a-z]{16}(?:-[aw]?\d+)?$/;
/** `{name}` in sentences of the ledger, `{{name}}` in texts of the contract. */
const FACT_NAME = /\{+(\w+)\}+/;

/** Terms of the ledger that need other words. */
const TERMS: Readonly<Record<string, string>> = {
  'the-amount': 'the amount',
  'the-address': 'the address',
  walletChecked: 'wallet-checked only',
  unknown: 'not an operator',
  role: 'insufficient role',
  back: 'rollback',
  continue: 'resume',
  over: 'closed',
  'several-sources': 'several sources',
  'no-source': 'no source',
  'owner-did-not-sign': 'owner did not sign',
  'wrong-sender': 'wrong sender',
  'wrong-memo': 'wrong memo',
  'too-large': 'too large',
  'no-such-player': 'sender is not a player',
  'wrong-mint': 'wrong token',
};

/** A text of the server, made from its template so that names and amounts have their format. Long names are shortened. */
export function Sentence({ template, facts, text }: Props & { template: string | undefined }) {
  if (template === undefined) return <span>{text}</span>;
  return (
    <span>
      {template.split(FACT_NAME).map((part, index) =>
        // Every second part is the name of a fact. The order of the parts never changes.
        index % 2 === 0 ? part : <FactText key={part} fact={facts[part]} />,
      )}
    </span>
  );
}

/** What an event states. */
export function EventSentence({ type, ...props }: Props & { type: string }) {
  const { sentence } = (EVENTS as Partial<typeof EVENTS>)[type as EventType] ?? {};
  return <Sentence template={sentence?.[0]} {...props} />;
}

function FactText({ fact }: { fact: Fact | undefined }) {
  if (typeof fact === 'string' && ID.test(fact)) {
    return <span className="font-mono text-xs">{fact}</span>;
  }
  // A text that a person wrote: its direction must not change the order of the rest.
  if (typeof fact !== 'object') return <bdi>{fact}</bdi>;
  if ('asset' in fact) return <Amount amount={fact} />;
  if ('name' in fact) return <Name name={fact.name} />;
  if ('term' in fact) return termText(fact.term);
  if ('hold' in fact) return <Hold hold={fact.hold} />;
  if ('changes' in fact) return <ChangesText changes={fact.changes} />;
  return fact.until === null ? 'permanently' : `until ${dateTimeText(fact.until)} UTC`;
}

/** Why a withdrawal is on hold. */
export function Hold({ hold: { code, facts, text } }: { hold: HoldFact }) {
  const template = (holds as Readonly<Record<string, string>>)[code];
  return <Sentence template={template} facts={facts} text={text} />;
}

/** A wallet, `operator:<wallet>` or `house`. */
function Name({ name }: { name: string }) {
  const id = name.slice(name.indexOf(':') + 1);
  return id.length < 32 ? termText(id) : <WalletNamed wallet={id} />;
}

/** A term of the ledger; unchanged if this build does not know it. */
export const termText = (term: string) => TERMS[term] ?? term;

type Line = AdminData<'statement'>['lines'][number];
type Of<Key extends keyof Line> = Pick<Line, Key>;

const timeColumn = (textOf: (iso: string) => string) => (row: Of<'time'>) => (
  <span className="whitespace-nowrap font-mono text-fg-2 text-xs" data-value={row.time}>
    {textOf(row.time)}
  </span>
);

/** Columns that all tables of events share. */
export const event = {
  position: { lead: ({ position }: Of<'position'>) => <PositionChip position={position} /> },
  time: timeColumn(timeText),
  /** With the day on every row. */
  day: timeColumn(dateTimeText),
  what: ({ type, facts, what }: Of<'type' | 'facts' | 'what'>) => (
    <span className="block md:min-w-56">
      <EventSentence type={type} facts={facts} text={what} />
    </span>
  ),
  amount: { total: ({ amount }: Of<'amount'>) => <Amount amount={amount} signed unit={false} /> },
  after: { figure: ({ after }: Of<'after'>) => <Amount amount={after} unit={false} /> },
  actor: ({ actor }: { actor: string }) => <Actor actor={actor} />,
};
