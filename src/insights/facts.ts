import { extractLedger } from '../compaction/ledger/extract.ts';
import { emptyLedger, type Ledger } from '../compaction/ledger/ledger.ts';
import { textOf, type Message } from '../compaction/message.ts';
import { messagesOf, type Transcript } from '../compaction/transcript.ts';

export type FactSection = keyof Ledger;

/**
 * Where the view still says a fact. `verbatim`: a message says it as it was said. `ledger`: it was copied into one.
 * `summary`: it stands in the words of a summary. `archive`: nowhere, only the transcript has it.
 */
export type FactPresence = 'verbatim' | 'ledger' | 'summary' | 'archive';

/** A fact of a session. */
export interface SourcedFact {
  readonly section: FactSection;
  readonly text: string;
  /** Commands only: exit status of the last run, where its output told one. */
  readonly status?: number;
  /** Ids of the messages that say it, oldest first. */
  readonly sources: readonly string[];
  readonly presence: FactPresence;
}

export const factSections = Object.keys(emptyLedger) as readonly FactSection[];

/** The facts of everything that was said, in the ledger's order, with their sources. */
export function factsOf(transcript: Pick<Transcript, 'entries' | 'view'>): readonly SourcedFact[] {
  const messages = messagesOf(transcript);
  const sources = sourcesOf(messages);
  const presenceOf = presenceIn(transcript.view);
  const ledger = extractLedger(messages);
  return factSections.flatMap((section) =>
    ledger[section].map((fact): SourcedFact => {
      const { command: text, status } =
        typeof fact === 'string' ? { command: fact, status: undefined } : fact;
      return {
        section,
        text,
        ...(status === undefined ? {} : { status }),
        sources: sources.get(keyOf(section, text)) ?? [],
        presence: presenceOf(section, text),
      };
    }),
  );
}

function sourcesOf(messages: readonly Message[]): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  for (const message of messages) {
    for (const key of keysOf(message)) {
      const known = sources.get(key);
      if (known === undefined) sources.set(key, [message.id]);
      else known.push(message.id);
    }
  }
  return sources;
}

function presenceIn(view: readonly Message[]): (section: FactSection, text: string) => FactPresence {
  const summaries = view.filter(({ kind }) => kind === 'summary');
  const verbatim = new Set(
    view.filter(({ kind }) => kind !== 'summary').flatMap((message) => [...keysOf(message)]),
  );
  const copied = new Set(summaries.flatMap((message) => [...keysOf(message)]));
  const written = summaries.map(({ content }) => textOf(content).replace(/\s+/gu, ' ')).join('\n');
  return (section, text) => {
    const key = keyOf(section, text);
    if (verbatim.has(key)) return 'verbatim';
    if (copied.has(key)) return 'ledger';
    return written.includes(text) ? 'summary' : 'archive';
  };
}

/** Kept as long as the message: a session is looked at again and again while it grows. */
const known = new WeakMap<Message, ReadonlySet<string>>();

function keysOf(message: Message): ReadonlySet<string> {
  const seen = known.get(message);
  if (seen !== undefined) return seen;
  const ledger = extractLedger([message]);
  const keys = new Set(
    factSections.flatMap((section) =>
      ledger[section].map((fact) => keyOf(section, typeof fact === 'string' ? fact : fact.command)),
    ),
  );
  known.set(message, keys);
  return keys;
}

/** A file is the same fact whether it was read or changed. */
function keyOf(section: FactSection, text: string): string {
  return `${section === 'filesModified' ? 'filesRead' : section}\n${text}`;
}
