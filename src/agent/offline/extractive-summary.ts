import { setImmediate } from 'node:timers/promises';
import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { extractLedger } from '../../compaction/ledger/extract.ts';
import { lineOf, withoutLedger } from '../../compaction/ledger/render.ts';
import { shownCommand } from '../../compaction/ledger/call-words.ts';
import { textOfFact } from '../../compaction/messages/ledger.ts';
import { isTyped, type Message, textOf } from '../../compaction/messages/message.ts';
import { ownWords } from '../../compaction/messages/typed-parts.ts';
import type { SummaryRequest } from '../../compaction/summary/summary-model.ts';
import { isSummaryText, withoutSummaryTags } from '../../compaction/summary/summary-form.ts';
import { headAndTail, headOf } from '../../compaction/text/clip.ts';
import { costOf, createTextRoom, KeySentences, type TextRoom } from './key-sentences.ts';

/** Maximum size of the summary, as a share of the summarised characters. */
const largestShare = 1 / 5;
/** Notes of earlier summaries may have more than that, up to this share, before any of them is left out. */
const largestShareWithNotes = 1 / 3;
/** Messages after which other work gets its turn. */
const messagesPerBreath = 64;

/** Share of the room that each section may take of what is left when its turn comes. */
const shares: readonly (readonly [SectionName, number])[] = [
  ['earlier', 0.7],
  ['asked', 0.5],
  ['files', 0.3],
  ['commands', 0.25],
  ['errors', 0.3],
  ['searched', 0.2],
  ['notes', 1],
];

/**
 * Summarises by selecting text, never by writing its own: what the person asked, files, commands, errors, and the
 * sentences of the model that say most. Same messages, same summary.
 *
 * @throws {CancelledError} if the signal was aborted
 */
export async function extractiveSummary(
  request: SummaryRequest,
  signal: CancellationSignal,
): Promise<string> {
  const { sources, focus, maxOutputTokens, tag } = request;
  const opening = `<${tag}>\n`;
  const closing = `\n</${tag}>`;
  const earlier = earlierNotes(sources);
  const sentences = new KeySentences(focus);
  for (const note of earlier.notes) sentences.addNote(note);
  for (const [index, message] of sources.entries()) {
    if (index % messagesPerBreath === 0) await setImmediate();
    throwIfCancelled(signal);
    if (message.role === 'assistant') sentences.addMessage(message);
  }
  const facts = extractLedger(sources);
  const characters = sources.reduce((sum, message) => sum + sizeOf(message), 0);
  const room = createTextRoom(
    Math.floor(
      Math.max(characters * largestShare, Math.min(earlier.characters, characters * largestShareWithNotes)),
    ) -
      opening.length -
      closing.length,
    maxOutputTokens - costOf(opening + closing) - 1,
  );

  const newest = (known: readonly string[], found: Iterable<string>) =>
    [...new Set([...known, ...found])].reverse();
  const asked = questionsIn(sources);
  const items: Readonly<Record<SectionName, readonly string[]>> = {
    earlier: earlier.earlier,
    // A request that a text reports is one of its notes: only the messages themselves tell what was asked.
    asked: newest([], asked),
    files: newest(earlier.files, [...facts.filesRead, ...facts.filesModified.map(textOfFact)]),
    commands: newest(
      earlier.commands,
      facts.commands.map(({ command }) => shownCommand(command)),
    ),
    errors: newest(earlier.errors, facts.errors.map(lineOf)),
    searched: newest(earlier.searched, facts.identifiers),
    notes: [],
  };
  const sections: string[] = [];
  for (const [name, share] of shares) {
    // Facts are copied next to a discussion; here they would appear twice.
    if (tag === 'discussion' && name !== 'earlier' && name !== 'notes') continue;
    const written =
      name === 'notes'
        ? sentences.choose(room, sectionTitles.notes)
        : writeSection(name, items[name], room, share);
    if (written !== '') sections.push(written);
  }
  const text =
    sections.length > 0
      ? sections.join('\n')
      : smallest(asked.at(-1), Math.min(maxOutputTokens, characters / 2 - opening.length - closing.length));
  return `${opening}${harmless(text)}${closing}`;
}

/**
 * Texts that a person typed; if no message is known to be typed, the texts in their role. What the program around the
 * model put there was never asked.
 */
function questionsIn(sources: readonly Message[]): readonly string[] {
  const typed = sources.filter(isTyped);
  const inTheirRole = sources.filter(
    ({ role, kind, origin, content }) =>
      role === 'user' && kind === undefined && origin !== 'harness' && !isSummaryText(textOf(content)),
  );
  return (typed.length > 0 ? typed : inTheirRole)
    .map((message) => ownWords(message).trim())
    .filter((text) => text !== '');
}

/** Takes as many items as the section has room for, in the order given. */
function writeSection(name: SectionName, items: readonly string[], room: TextRoom, share: number): string {
  const title = `## ${sectionTitles[name]}`;
  const section = room.part(share);
  if (items.length === 0 || !section.take(`${title}\n`)) return '';
  const taken: string[] = [];
  for (const item of items) {
    const line = name === 'earlier' ? item : `- ${item}`;
    if (section.take(`${line}\n`)) taken.push(line);
    else if (name === 'asked' && taken.length === 0) {
      // The newest wish counts most: better its ends than nothing of it.
      const clipped = headAndTail(line, Math.floor(section.characters) - 1, () => ' […] ');
      if (section.take(`${clipped}\n`)) taken.push(clipped);
    }
  }
  if (taken.length === 0) return '';
  room.take(`${[title, ...taken].join('\n')}\n`);
  return [title, ...taken].join('\n');
}

/**
 * Summary for too little room for sections: a few words of what was asked, or less.
 *
 * @param room in characters; each may be a token
 */
function smallest(asked: string | undefined, room: number): string {
  return (
    headOf(asked ?? '', Math.floor(room)).trim() || 'Nothing of note.'.slice(0, Math.max(1, Math.floor(room)))
  );
}

function sizeOf(message: Message): number {
  const calls = message.tool_calls ?? [];
  return calls.reduce(
    (sum, { function: called }) => sum + called.name.length + called.arguments.length,
    textOf(message.content).length,
  );
}

/** Rewrites tags that a reader of the summary would take for its own, so that they are none. */
function harmless(text: string): string {
  return text.replace(
    /<(?=\/?(?:summary|ledger|state_snapshot|discussion|think|thinking|analysis|scratchpad)\b)/gi,
    '&lt;',
  );
}

/** Sections of an extractive summary, in the order they are written. */
export const sectionTitles = {
  earlier: 'Earlier',
  asked: 'Requests, newest first',
  files: 'Files',
  commands: 'Commands',
  errors: 'Errors, printed by tools',
  searched: 'Searched for',
  notes: 'Notes',
} as const;

export type SectionName = keyof typeof sectionTitles;

/** Contents of earlier summaries, by section, oldest first, so that new facts can follow. */
export type EarlierNotes = Readonly<Record<SectionName, readonly string[]>> & {
  /** Of all earlier summaries together. */
  readonly characters: number;
};

const nameOf = new Map<string, SectionName>(
  Object.entries(sectionTitles).map(([name, title]) => [title, name as SectionName]),
);
/** Sections that are written newest first. */
const newestFirst: ReadonlySet<SectionName> = new Set(['asked', 'files', 'commands', 'errors', 'searched']);

/**
 * Takes earlier summaries apart. Sections of our own come back as items; every line of a summary that something
 * else wrote is kept as it is.
 */
export function earlierNotes(sources: readonly Message[]): EarlierNotes {
  const notes = emptyNotes();
  let characters = 0;
  for (const message of sources) {
    const text = textOf(message.content);
    if (message.kind !== 'summary' && !isSummaryText(text)) continue;
    characters += text.length;
    const own = emptyNotes();
    // Its facts are taken from the ledger itself, and copied after the new summary.
    readSummary(withoutSummaryTags(message.kind === 'summary' ? withoutLedger(text) : text), own);
    for (const [name, items] of Object.entries(own) as [SectionName, string[]][]) {
      notes[name].push(...(newestFirst.has(name) ? items.reverse() : items));
    }
  }
  return { ...notes, characters };
}

/** Lines around the notes, which are written again with the next message of them. */
const frame =
  /^<\/?(?:(?:conversation_)?summary|state_snapshot|discussion)(?:_[a-z0-9]+)?>$|^\[Messages behind this one that were kept: \d+\]$/;
/** Carried on word for word by the strategy that wrote it. */
const planTag = /\n<(\/?)(current_plan(?:_[a-z0-9]+)?)(?![a-z0-9_])[^>\n]*>(?=\n)/g;

function withoutPlans(text: string): string {
  const tags = [...text.matchAll(planTag)].map(({ 0: tag, 1: slash, 2: name = '', index }) => {
    return { name, isClosing: slash === '/', start: index, end: index + tag.length };
  });
  const lastClosing = new Map(tags.filter((tag) => tag.isClosing).map(({ name, start }) => [name, start]));
  const kept: string[] = [];
  let done = 0;
  let open: string | undefined;
  for (const { name, isClosing, start, end } of tags) {
    if (open === undefined && !isClosing && start < (lastClosing.get(name) ?? 0)) {
      kept.push(text.slice(done, start));
      open = name;
    } else if (isClosing && name === open) {
      done = end;
      open = undefined;
    }
  }
  kept.push(text.slice(done));
  return kept.join('\n');
}

function emptyNotes(): Record<SectionName, string[]> {
  return { earlier: [], asked: [], files: [], commands: [], errors: [], searched: [], notes: [] };
}

function readSummary(text: string, notes: Record<SectionName, string[]>): void {
  let section: SectionName = 'earlier';
  for (const line of withoutPlans(text).split('\n')) {
    if (frame.test(line) || line.trim() === '') continue;
    const title = /^## (.*)$/.exec(line)?.[1];
    const named = title === undefined ? undefined : nameOf.get(title);
    // It is not known who wrote that something was asked: it stays a note.
    if (named === 'asked') section = 'earlier';
    else if (named !== undefined) section = named;
    else if (title !== undefined) {
      section = 'earlier';
      notes.earlier.push(line);
    } else if (section === 'earlier') notes.earlier.push(line);
    else if (line.startsWith('- ')) notes[section].push(line.slice(2));
    // A text of several lines goes on.
    else notes[section].push(`${notes[section].pop() ?? ''}\n${line}`.trimStart());
  }
}
