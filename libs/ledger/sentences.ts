import { assert } from './assert.ts';
import { timeText } from './calendar.ts';
import type { Fact, Facts } from './descriptor.ts';
import { descriptorOf } from './event-types.ts';
import type { AnyEvent } from './events.ts';
import { HOLDS, type Hold } from './holds.ts';
import { toText } from './money.ts';

/** An event in few words, for operators: in English, and from its type and the facts in any language. */
export interface Sentence {
  readonly facts: Facts;
  readonly text: string;
}

/** What an event says, in few words. */
export function sentenceOf(event: AnyEvent): Sentence {
  const [template, factsOf] = descriptorOf(event).sentence;
  const facts = factsOf(event.data);
  return { facts, text: fill(template, facts) };
}

/** Why a withdrawal waits, in English. */
export const holdText = ({ code, facts }: Hold): string => fill(HOLDS[code], facts);

/** A sentence with its facts, in English. */
export function fill(template: string, facts: Facts): string {
  return template.replace(/\{(\w+)\}/g, (_, key) => factText(facts[key]));
}

function factText(fact: Fact | undefined): string {
  assert(fact !== undefined, 'every figure of a sentence is among its facts');
  if (typeof fact !== 'object') return String(fact);
  if ('name' in fact) return fact.name;
  if ('term' in fact) return fact.term.replaceAll('-', ' ');
  if ('asset' in fact) return toText(fact.asset, fact.minor);
  if ('hold' in fact) return holdText(fact.hold);
  return fact.untilMs === null ? 'for good' : `until ${timeText(fact.untilMs)}`;
}
