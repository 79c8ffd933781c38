import { remembered } from '../messages/remembered.ts';
import type { Statement } from './statements.ts';
import { type Subject, subjectOf } from './subject.ts';

/** All that a statement says by itself, whatever was said before it. */
export interface Reading {
  readonly subject: Subject;
  /** The thing that it gives a value to, if any. */
  readonly thing: string | undefined;
  /** Subjects that it names as over: "instead of Jest". */
  readonly namedOld: readonly Subject[];
  readonly forbids: boolean;
  readonly allows: boolean;
}

/** Read once for each statement: the same ones are compared again at every compaction. */
export const readingOf = remembered(({ text }: Statement): Reading => ({
  subject: subjectOf(text),
  thing: thingOf(text),
  namedOld: namedOldIn(text),
  forbids: forbids.test(text),
  allows: allows.test(text),
}));

const old =
  /\b(?:instead of|rather than|no longer(?: using| use)?|not|drop|replac(?:e|es|ing)|(?:switch|move|migrate|change)(?:d|s|ing)? (?:\w+ ){0,3}?from) ([^,.;:!?]{2,60}?)(?= (?:with|to|by|anymore|any more|and|is|are)\b|[,.;:!?]|$)|\b(?:the |our )?([\w -]{2,60}?) (?:plan |idea |approach )?(?:is|are) (?:off the table|dead|out|no longer|dropped|cancelled|canceled)\b|(?:不再用?|而不是|不用)([^，。；,.;]{1,20})/giu;

/** Subjects that a sentence names as over, without those of which no word tells anything. */
function namedOldIn(sentence: string): readonly Subject[] {
  return Array.from(sentence.matchAll(old), (match) => subjectOf(match.slice(1).join(' ').trim())).filter(
    ({ words, topics }) => words.size + topics.size > 0,
  );
}

const forbids = /\b(?:never|not|don['’]?t|avoid|no|without|mustn['’]?t|cannot|stop)\b|不要|不能|禁止|别/iu;
const allows = /\b(?:may|can|allowed|fine|ok(?:ay)? to|feel free|always|do)\b|可以|允许/iu;

const thing =
  /^(?:(?:hard|user|the|our|my|this|its|current|new|fact|value|state|constraint|rule|preference|note|update|correction|actually|and|also|now|so|ok|okay|please|change|set|rename|move|bump|switch)[:,]?\s+)*(.{2,60}?)(?: (?:now|currently|again))? (?:is now|is|are now|are|will be|should be|must be|has changed to|changed to|has moved to|moved to|to|becomes|=)\s/iu;

/** The words of the thing that a sentence gives a value to; undefined if it is no such sentence. */
function thingOf(sentence: string): string | undefined {
  const name = thing.exec(sentence)?.[1]?.toLowerCase();
  if (
    name === undefined ||
    name.split(' ').length > 6 ||
    /^(?:it|this|that|there|what|here|i|we)$/u.test(name)
  ) {
    return undefined;
  }
  const { words, topics } = subjectOf(name);
  return words.size + topics.size === 0 ? undefined : [...[...topics].sort(), ...[...words].sort()].join(' ');
}
