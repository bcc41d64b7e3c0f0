import { assert } from './assert.ts';
import { timeText } from './calendar.ts';
import type { ChangedValue } from './config/edit.ts';
import type { Fact, Facts } from './descriptor.ts';
import { descriptorOf } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import type { Hold } from './holds.ts';
import { toText } from './money.ts';

/** A short text of an event, for operators, in English; by type and facts it can be shown in any language. */
export interface Sentence {
  readonly facts: Facts;
  readonly text: string;
}

export function sentenceOf(event: AnyEvent): Sentence {
  const [template, factsOf] = descriptorOf(event).sentence;
  const facts = factsOf(event.data);
  return { facts, text: fill(template, facts) };
}

/** A sentence with its facts filled in, in English. */
export function fill(template: string, facts: Facts): string {
  return template.replace(/\{(\w+)\}/g, (_, key) => {
    const fact = facts[key];
    assert(fact !== undefined, 'every name in a sentence is among its facts');
    assert(typeof fact !== 'object' || !('hold' in fact), 'an event has no hold among its facts');
    return factText(fact);
  });
}

/** A fact in English. */
export function factText(fact: Exclude<Fact, { readonly hold: Hold }>): string {
  if (typeof fact !== 'object') return String(fact);
  if ('name' in fact) return fact.name;
  if ('term' in fact) return fact.term.replaceAll('-', ' ');
  if ('asset' in fact) return toText(fact.asset, fact.minor);
  if ('changes' in fact) return changesText(fact.changes);
  return fact.untilMs === null ? 'for good' : `until ${timeText(fact.untilMs)}`;
}

/** Of one event. */
export const CHANGES_SHOWN = 3;

function changesText(changes: readonly ChangedValue[]): string {
  if (changes.length === 0) return 'first values';
  const shown = changes.slice(0, CHANGES_SHOWN).map(changeText).join(', ');
  const more = changes.length - CHANGES_SHOWN;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

const changeText = ({ path, before, after }: ChangedValue) =>
  `${path} ${before || 'none'} -> ${after || 'none'}`;
