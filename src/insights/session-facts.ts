import { type CallEnd, callEnds } from '../compaction/ledger/call-ends.ts';
import { factsOfCall } from '../compaction/ledger/call-facts.ts';
import { extractLedger } from '../compaction/ledger/extract.ts';
import { lastingCommands } from '../compaction/ledger/lasting-commands.ts';
import { errorsOf } from '../compaction/ledger/result-facts.ts';
import {
  ledgerSections,
  type MarkedAs,
  type MarkedFact,
  textOfFact,
  type Fact,
  type LedgerSection,
} from '../compaction/messages/ledger.ts';
import { keptIn } from '../compaction/ledger/kept-facts.ts';
import { typedChoice } from '../compaction/ledger/option-forms.ts';
import { oneSpelling } from '../compaction/ledger/file-history.ts';
import { idsInResult } from '../compaction/ledger/result-ids.ts';
import { mentionsIn } from '../compaction/ledger/mentions.ts';
import { isTyped, typedText, type Message } from '../compaction/messages/message.ts';
import { quotedHistory } from '../compaction/transcript/quoted-history.ts';
import { validMarks, type ValidMarks } from '../compaction/transcript/valid-marks.ts';
import { folderNamedIn, type Transcript } from '../compaction/transcript/transcript.ts';

/** `struck`: sentences that the user struck. They are listed so that the user can restore them. */
export type FactSection = LedgerSection | 'struck';

/**
 * The place that still contains a fact. `verbatim`: a message, in the original words. `ledger`: a copy in a
 * message. `summary`: the words of a summary. `archive`: only the transcript.
 */
type FactPresence = 'verbatim' | 'ledger' | 'summary' | 'archive';

export interface SourcedFact {
  readonly section: FactSection;
  readonly text: string;
  /** Commands only: exit status of the last run, if its output contains the status. */
  readonly status?: number;
  /** Calls only: how the last call ended, unless it ran to completion. */
  readonly end?: Exclude<CallEnd, 'ran'>;
  /** Replaced sentences only: the sentence that replaced this one. */
  readonly replacedBy?: string;
  /** Marked and struck sentences only. */
  readonly mark?: { readonly as: MarkedAs | 'struck'; readonly sentence: string };
  /** Ids of the messages that contain the fact, oldest first. */
  readonly sources: readonly string[];
  readonly presence: FactPresence;
}

/** Returns all facts of a session, in the ledger's order, with their sources. */
export function sessionFacts(transcript: Pick<Transcript, 'entries' | 'view'>): readonly SourcedFact[] {
  const messages = quotedHistory(transcript);
  const keysIn = keysWithOneSpelling([...messages, ...transcript.view]);
  const sources = sourcesOf(messages, keysIn);
  const presenceOf = presenceIn(transcript.view, keysIn, folderNamedIn(transcript));
  const ledger = extractLedger(messages);
  const marks = validMarks(transcript.entries);
  const facts = ledgerSections.flatMap((section) => {
    const facts: readonly Fact[] = ledger[section];
    return facts.map((fact): SourcedFact => {
      const text = textOfFact(fact);
      if (typeof fact === 'object' && 'as' in fact) return markedFact(fact, marks, presenceOf);
      return {
        section,
        text,
        ...(typeof fact === 'object' && 'status' in fact ? { status: fact.status } : {}),
        ...(typeof fact === 'object' && 'end' in fact ? { end: fact.end } : {}),
        ...(typeof fact === 'object' && 'by' in fact ? { replacedBy: fact.by } : {}),
        sources: sources.get(keyOf(section, text)) ?? typedWith(text, messages),
        presence: presenceOf(section, fact),
      };
    });
  });
  return [...facts, ...struckFacts(marks)];
}

function markedFact(fact: MarkedFact, marks: ValidMarks, presenceOf: PresenceOf): SourcedFact {
  const { text, as, said: sentence = text } = fact;
  return {
    section: 'marked',
    text,
    mark: { as, sentence },
    sources: marks.get(sentence)?.at(-1)?.messageIds ?? [],
    presence: presenceOf('marked', fact),
  };
}

function struckFacts(marks: ValidMarks): readonly SourcedFact[] {
  return [...marks].flatMap(([sentence, entries]) => {
    const { as, messageIds = [] } = entries.at(-1) ?? {};
    if (as !== 'struck') return [];
    return {
      section: 'struck',
      text: sentence,
      mark: { as, sentence },
      sources: messageIds,
      presence: 'archive',
    };
  });
}

type PresenceOf = (section: LedgerSection, fact: Fact) => FactPresence;

/** Returns the ids of typed messages that contain a text, even where it is not a fact, as in a proposed plan. */
function typedWith(text: string, messages: readonly Message[]): readonly string[] {
  return messages
    .filter((message) => isTyped(message) && mentionsIn([typedText(message)]).has(typedChoice(text)))
    .map(({ id }) => id);
}

type KeysIn = (message: Message) => readonly string[];

/** Returns a function that lists the keys of a message, with one spelling for each file, as in the facts. */
function keysWithOneSpelling(messages: readonly Message[]): KeysIn {
  const files = keyOf('filesRead', '');
  const paths = messages.flatMap((message) =>
    [...keysOf(message)].flatMap((key) => (key.startsWith(files) ? key.slice(files.length) : [])),
  );
  const spelled = oneSpelling(paths);
  return (message) =>
    [...keysOf(message)].map((key) =>
      key.startsWith(files) ? files + spelled(key.slice(files.length)) : key,
    );
}

function sourcesOf(messages: readonly Message[], keysIn: KeysIn): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  const add = (key: string, id: string): void => {
    const known = sources.get(key);
    if (known === undefined) sources.set(key, [id]);
    else known.push(id);
  };
  const ends = callEnds(messages);
  for (const message of messages) {
    for (const key of keysIn(message)) add(key, message.id);
    for (const call of message.tool_calls ?? []) {
      const result = ends.get(call)?.result;
      if (result === undefined) continue;
      for (const text of idsInResult(call, result)) add(keyOf('identifiers', text), result.id);
    }
  }
  return sources;
}

function presenceIn(view: readonly Message[], keysIn: KeysIn, folder: string | undefined): PresenceOf {
  const summaries = view.filter(({ kind }) => kind === 'summary');
  const verbatim = new Set(
    view.filter(({ kind }) => kind !== 'summary').flatMap((message) => keysIn(message)),
  );
  const copied = new Set(summaries.flatMap((message) => keysIn(message)));
  const typed = mentionsIn(view.filter(isTyped).map((message) => typedText(message)));
  const isInSummary = keptIn(summaries, folder);
  const isKept = keptIn(view, folder);
  return (section, fact) => {
    const text = textOfFact(fact);
    const key = keyOf(section, text);
    // The presence of a message does not show that its sentence was marked.
    if (section !== 'marked' && verbatim.has(key)) return 'verbatim';
    // A request or replaced sentence is also present where the user typed it, even if that message has no such fact.
    if ((section === 'requests' || section === 'replaced') && typed.has(text)) return 'verbatim';
    if (copied.has(key)) return 'ledger';
    if (isInSummary(section, fact)) return 'summary';
    // The fact is named in a message other than a summary.
    return isKept(section, fact) ? 'verbatim' : 'archive';
  };
}

/** Keys are cached with the message, because a growing session is examined repeatedly. */
const known = new WeakMap<Message, ReadonlySet<string>>();

function keysOf(message: Message): ReadonlySet<string> {
  const seen = known.get(message);
  if (seen !== undefined) return seen;
  const ledger = extractLedger([message]);
  const keys = new Set(
    ledgerSections.flatMap((section) => {
      const facts: readonly Fact[] = ledger[section];
      return facts.map((fact) => keyOf(section, textOfFact(fact)));
    }),
  );
  // A single message does not show how its calls ended, but their facts are in it.
  for (const call of message.tool_calls ?? []) {
    const { commands, filesModified, filesRead, identifiers } = factsOfCall(call);
    for (const text of [...commands, ...filesModified]) keys.add(keyOf('notRun', text));
    for (const script of commands)
      for (const { command } of lastingCommands(script)) keys.add(keyOf('commands', command));
    for (const text of [...filesModified, ...filesRead]) keys.add(keyOf('filesRead', text));
    for (const text of identifiers) keys.add(keyOf('identifiers', text));
  }
  // A result without its call does not show which program printed it.
  if (message.role === 'tool') for (const text of errorsOf(message)) keys.add(keyOf('errors', text));
  known.set(message, keys);
  return keys;
}

/**
 * Groups of sections. A fact moves within its group when a read file is changed or a decision is replaced.
 */
const movedFrom: Readonly<Partial<Record<FactSection, string>>> = {
  filesModified: 'files',
  filesRead: 'files',
  decisions: 'statements',
  choices: 'statements',
  constraints: 'statements',
  preferences: 'statements',
  replaced: 'statements',
};

function keyOf(section: FactSection, text: string): string {
  return `${movedFrom[section] ?? section}\n${text}`;
}
