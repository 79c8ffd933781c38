import type { ReplacedFact } from '../messages/ledger.ts';
import { isEnding, type Statement, type Statements } from './statements.ts';
import { type Reading, readingOf } from './statement-reading.ts';
import { sharedTopics, sharedWords, type Subject } from './subject.ts';

/** All that was stated, divided into what still holds and what does not. */
export interface Standing {
  /** In the order in which they were last said. */
  readonly statements: readonly Statement[];
  readonly replaced: readonly ReplacedFact[];
}

interface Entry extends Reading {
  readonly statement: Statement;
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
  const index = new SubjectIndex();
  for (const [message, { statements, retraction, retractedBy }] of messages.entries()) {
    if (statements.length === 0 && retraction === 'none') continue;
    const fresh = statements.map((statement): Entry => ({ ...readingOf(statement), statement, message }));
    const replacement = mostTelling(fresh.filter(({ statement }) => isPlan(statement))) ?? fresh[0];
    const by = replacement?.statement.text ?? retractedBy;
    // Of what this message takes back, it may also say what holds instead.
    const alike = fresh.map((entry) => index.sharing(entry));
    if (by !== undefined && retraction !== 'none') {
      const earlier = entries.filter(({ replacedBy }) => replacedBy === undefined);
      for (const old of takenBack(retraction, earlier, replacement, message)) old.replacedBy = by;
    }
    for (const [position, entry] of fresh.entries()) {
      for (const old of alike[position] ?? []) {
        if (old.replacedBy !== undefined || !replaces(entry, old)) continue;
        const telling = mostTelling(fresh.filter((other) => other === entry || isAbout(other, old)));
        old.replacedBy = (telling ?? entry).statement.text;
      }
    }
    const standing = fresh.filter(({ statement }) => !isEnding(statement.text));
    entries.push(...standing);
    for (const entry of standing) index.add(entry);
  }
  return standingOf(entries);
}

/** Statements that hold at the end, and those that do not. */
function standingOf(entries: readonly Entry[]): Standing {
  const standing = entries.filter(({ replacedBy }) => replacedBy === undefined);
  // A plan that took the place of another one was chosen, however it was put.
  const winners = new Set(entries.map(({ replacedBy }) => replacedBy));
  const said = new Set(standing.map(({ statement }) => keyOf(statement)));
  const chains = chainsOf(entries);
  return {
    statements: newestOfEach(
      standing.map(({ statement }) =>
        statement.kind === 'wish' && winners.has(statement.text)
          ? { ...statement, kind: 'decision' }
          : statement,
      ),
    ),
    // Said again later by the same one, it stands.
    replaced: entries.flatMap(({ statement, replacedBy }) =>
      replacedBy === undefined || said.has(keyOf(statement))
        ? []
        : [{ text: statement.text, by: finalOf(replacedBy, chains) }],
    ),
  };
}

/**
 * Statements by the words, topics and things in them. A statement only ever replaces one that shares some of them, so
 * that a long session compares each with a few others instead of with all.
 */
class SubjectIndex {
  private readonly byTerm = new Map<string, Entry[]>();

  add(entry: Entry): void {
    for (const term of termsOf(entry.subject, entry.thing)) {
      const entries = this.byTerm.get(term);
      if (entries === undefined) this.byTerm.set(term, [entry]);
      else entries.push(entry);
    }
  }

  /** Those that still stand and share a term with a statement, or with what it names as over. */
  sharing({ subject, thing, namedOld }: Entry): ReadonlySet<Entry> {
    const found = new Set<Entry>();
    const terms = new Set([
      ...termsOf(subject, thing),
      ...namedOld.flatMap((named) => termsOf(named, undefined)),
    ]);
    for (const term of terms) {
      for (const entry of this.byTerm.get(term) ?? []) if (entry.replacedBy === undefined) found.add(entry);
    }
    return found;
  }
}

function termsOf({ words, topics }: Subject, thing: string | undefined): readonly string[] {
  return [
    ...words,
    ...[...topics].map((topic) => `topic ${topic}`),
    ...(thing === undefined ? [] : [`thing ${thing}`]),
  ];
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

/** "Use Vitest instead of Jest": what chose Jest is replaced. */
function namesOld(later: Entry, earlier: Entry): boolean {
  if (
    !isPlan(earlier.statement) &&
    earlier.statement.kind !== 'value' &&
    !/\buse\b/iu.test(earlier.statement.text)
  ) {
    return false;
  }
  return later.namedOld.some(
    (named) =>
      sharedWords(named, earlier.subject) === named.words.size &&
      sharedTopics(named, earlier.subject) === named.topics.size,
  );
}

/** A rule and its contrary: "never commit", "you may commit now". */
function isOpposite(later: Entry, earlier: Entry): boolean {
  if (later.statement.kind !== 'constraint' && earlier.statement.kind !== 'constraint') return false;
  const turned = later.forbids !== earlier.forbids && (later.allows || earlier.allows);
  return turned && shareOf(later.subject, earlier.subject) >= sameShare && isSameTopic(later, earlier);
}

/** The same thing with another value: "The port is 8080", "The port is 9090". */
function isOtherValue(later: Entry, earlier: Entry): boolean {
  return later.thing !== undefined && later.thing === earlier.thing;
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

/** Text → the replaced entries that say it: their places in order, and what replaced each. */
type Chains = ReadonlyMap<string, readonly { readonly place: number; readonly by: string }[]>;

function chainsOf(entries: readonly Entry[]): Chains {
  const chains = new Map<string, { readonly place: number; readonly by: string }[]>();
  for (const [place, { statement, replacedBy }] of entries.entries()) {
    if (replacedBy === undefined) continue;
    const links = chains.get(statement.text) ?? [];
    links.push({ place, by: replacedBy });
    chains.set(statement.text, links);
  }
  return chains;
}

/** The end of a chain: what replaced what was replaced, each link later than the one before. */
function finalOf(by: string, chains: Chains): string {
  let last = by;
  for (let after = -1; ;) {
    const link = chains.get(last)?.find(({ place }) => place > after);
    if (link === undefined) return last;
    [last, after] = [link.by, link.place];
  }
}

/** Each statement once, where it was last said. What the user said stays the user's if a model repeats it. */
function newestOfEach(statements: readonly Statement[]): readonly Statement[] {
  const byKey = new Map<string, Statement>();
  for (const statement of statements) {
    byKey.delete(keyOf(statement));
    byKey.set(keyOf(statement), statement);
  }
  return [...byKey.values()].filter(
    (statement) => statement.isOfModel !== true || !byKey.has(keyOf({ text: statement.text })),
  );
}

/** Names a statement by its author and its text. */
function keyOf({ text, isOfModel }: Pick<Statement, 'text' | 'isOfModel'>): string {
  return `${isOfModel === true ? 'model' : 'user'}\n${text}`;
}
