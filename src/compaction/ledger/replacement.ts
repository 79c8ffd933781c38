import type { ReplacedFact } from '../messages/ledger.ts';
import { isEnding, type Statement, type Statements } from './statements.ts';
import { sharedTopics, sharedWords, subjectOf, type Subject } from './subject.ts';

/** All that was stated, divided into what still holds and what does not. */
export interface Standing {
  /** In the order in which they were last said. */
  readonly statements: readonly Statement[];
  readonly replaced: readonly ReplacedFact[];
}

interface Entry {
  readonly statement: Statement;
  readonly subject: Subject;
  /** Index of the message that said it. */
  readonly message: number;
  replacedBy?: string;
}

/** Of the words of the shorter sentence, the share that both say if one replaces the other. */
const sameShare = 0.6;
/** A message that takes back "that" means what was said in one of the last few messages, replies included. */
const nearMessages = 8;

/**
 * Follows statements through a conversation: a later one that says that it changes something, or gives another value
 * to the same thing, takes the place of the earlier one. Sentences that only look alike ("the project's budget", "the
 * trip's budget") both stand.
 *
 * @param messages the statements of each message, oldest first
 */
export function standingStatements(messages: readonly Statements[]): Standing {
  const entries: Entry[] = [];
  for (const [message, { statements, retraction, retractedBy }] of messages.entries()) {
    const fresh = statements.map((statement): Entry => {
      return { statement, subject: subjectOf(statement.text), message };
    });
    const earlier = entries.filter(({ replacedBy }) => replacedBy === undefined);
    const replacement = mostTelling(fresh.filter(({ statement }) => isPlan(statement))) ?? fresh[0];
    const by = replacement?.statement.text ?? retractedBy;
    if (by !== undefined) {
      for (const old of takenBack(retraction, earlier, replacement, message)) old.replacedBy = by;
    }
    for (const entry of fresh) {
      for (const old of earlier) {
        if (!replaces(entry, old)) continue;
        const telling = mostTelling(fresh.filter((other) => other === entry || isAbout(other, old)));
        old.replacedBy ??= (telling ?? entry).statement.text;
      }
    }
    entries.push(...fresh.filter(({ statement }) => !isEnding(statement.text)));
  }
  const standing = entries.filter(({ replacedBy }) => replacedBy === undefined);
  // A plan that took the place of another one was chosen, however it was put.
  const winners = new Set(entries.map(({ replacedBy }) => replacedBy));
  const said = new Set(standing.map(({ statement }) => statement.text));
  return {
    statements: newestOfEach(
      standing.map(({ statement }) =>
        statement.kind === 'wish' && winners.has(statement.text)
          ? { ...statement, kind: 'decision' }
          : statement,
      ),
    ),
    // Said again later, it stands.
    replaced: entries.flatMap(({ statement: { text }, replacedBy }) =>
      replacedBy === undefined || said.has(text) ? [] : [{ text, by: finalOf(replacedBy, entries) }],
    ),
  };
}

/** Statements that a message takes back without naming them. */
function takenBack(
  retraction: Statements['retraction'],
  earlier: readonly Entry[],
  replacement: Entry | undefined,
  message: number,
): readonly Entry[] {
  const plans = earlier.filter(({ statement }) => isPlan(statement));
  if (retraction === 'all') return plans;
  if (retraction === 'none') return [];
  const near = earlier.filter((entry) => message - entry.message <= nearMessages);
  const alike = replacement === undefined ? [] : near.filter((old) => isAbout(replacement, old));
  if (alike.length > 0) return alike;
  const newest = near.findLast(({ statement }) => isPlan(statement)) ?? near.at(-1);
  if (newest === undefined) return [];
  // What proposed a plan and what repeated it goes together.
  return [newest, ...near.filter((old) => old !== newest && isPlan(old.statement) && isAbout(newest, old))];
}

/** The sentence of a message that best states what holds now. */
function mostTelling(entries: readonly Entry[]): Entry | undefined {
  const telling = entries.filter(({ statement }) => !isEnding(statement.text));
  return telling.toSorted((one, other) => other.subject.words.size - one.subject.words.size)[0];
}

function isPlan({ kind }: Statement): boolean {
  return kind === 'decision' || kind === 'wish';
}

/** True if a later statement replaces an earlier one by what both say. */
function replaces(later: Entry, earlier: Entry): boolean {
  if (later.statement.isOfModel || later.statement.text === earlier.statement.text) return false;
  if (namesOld(later, earlier)) return true;
  if (isOpposite(later, earlier)) return true;
  const { isChange } = later.statement;
  if (isOtherValue(later, earlier)) return true;
  return isChange && isAbout(later, earlier);
}

const old =
  /\b(?:instead of|rather than|no longer(?: using| use)?|not|drop|replac(?:e|es|ing)|(?:switch|move|migrate|change)(?:d|s|ing)? (?:\w+ ){0,3}?from) ([^,.;:!?]{2,60}?)(?= (?:with|to|by|anymore|any more|and|is|are)\b|[,.;:!?]|$)|\b(?:the |our )?([\w -]{2,60}?) (?:plan |idea |approach )?(?:is|are) (?:off the table|dead|out|no longer|dropped|cancelled|canceled)\b|(?:不再用?|而不是|不用)([^，。；,.;]{1,20})/giu;

/** "Use Vitest instead of Jest": what chose Jest is replaced. */
function namesOld(later: Entry, earlier: Entry): boolean {
  if (
    !isPlan(earlier.statement) &&
    earlier.statement.kind !== 'value' &&
    !/\buse\b/iu.test(earlier.statement.text)
  ) {
    return false;
  }
  return [...later.statement.text.matchAll(old)].some((match) => {
    const named = subjectOf(match.slice(1).join(' ').trim());
    const size = named.words.size + named.topics.size;
    return (
      size > 0 &&
      sharedWords(named, earlier.subject) === named.words.size &&
      sharedTopics(named, earlier.subject) === named.topics.size
    );
  });
}

const forbids = /\b(?:never|not|don['’]?t|avoid|no|without|mustn['’]?t|cannot|stop)\b|不要|不能|禁止|别/iu;
const allows = /\b(?:may|can|allowed|fine|ok(?:ay)? to|feel free|always|do)\b|可以|允许/iu;

/** A rule and its contrary: "never commit", "you may commit now". */
function isOpposite(later: Entry, earlier: Entry): boolean {
  if (later.statement.kind !== 'constraint' && earlier.statement.kind !== 'constraint') return false;
  const turned =
    forbids.test(later.statement.text) !== forbids.test(earlier.statement.text) &&
    (allows.test(later.statement.text) || allows.test(earlier.statement.text));
  return turned && shareOf(later.subject, earlier.subject) >= sameShare && isSameTopic(later, earlier);
}

/** The same thing with another value: "The port is 8080", "The port is 9090". */
function isOtherValue(later: Entry, earlier: Entry): boolean {
  const [now, before] = [thingOf(later.statement.text), thingOf(earlier.statement.text)];
  return now !== undefined && now === before;
}

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

/** True if two statements are about the same thing, whatever they say of it. */
function isAbout(later: Entry, earlier: Entry): boolean {
  const topics = sharedTopics(later.subject, earlier.subject);
  const words = sharedWords(later.subject, earlier.subject);
  const share = shareOf(later.subject, earlier.subject);
  if (topics === 0) return words >= 2 && share >= sameShare && isSameOne(later, earlier);
  return isSameOne(later, earlier);
}

function isSameTopic({ subject: one }: Entry, { subject: other }: Entry): boolean {
  return one.topics.size === 0 || other.topics.size === 0 || sharedTopics(one, other) > 0;
}

/** Words that say which one of several is meant: `production` of "the production database". */
const qualifier =
  /^(?:prod|stag|test|dev|primar|secondar|backup|unit|integration|conferenc|project|trip|travel|team|personal|launch|doc|design|releas|front|back|server|client|local|remot|main|mobil|web)/u;

function qualifiersOf({ words }: Subject): ReadonlySet<string> {
  return new Set([...words].filter((word) => qualifier.test(word)));
}

/** Both may mean the same one of several: one of them does not say which, or both say the same. */
function isSameOne({ subject: one }: Entry, { subject: other }: Entry): boolean {
  const [first, second] = [qualifiersOf(one), qualifiersOf(other)];
  return first.size === 0 || second.size === 0 || [...first].some((word) => second.has(word));
}

/** Share of the words of the shorter sentence that the other contains, too. */
function shareOf(one: Subject, other: Subject): number {
  const fewer = Math.min(one.words.size, other.words.size);
  return fewer === 0 ? 0 : sharedWords(one, other) / fewer;
}

/** The end of a chain: what replaced what was replaced. */
function finalOf(by: string, entries: readonly Entry[]): string {
  let last = by;
  for (const { statement, replacedBy } of entries) {
    if (statement.text === last && replacedBy !== undefined) last = replacedBy;
  }
  return last;
}

function newestOfEach(statements: readonly Statement[]): readonly Statement[] {
  const byText = new Map<string, Statement>();
  for (const statement of statements) {
    byText.delete(statement.text);
    byText.set(statement.text, statement);
  }
  return [...byText.values()];
}
