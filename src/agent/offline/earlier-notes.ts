import { withoutLedger } from '../../compaction/ledger/render.ts';
import { textOf, type Message } from '../../compaction/message.ts';
import { isSummaryText, withoutSummaryTags } from '../../compaction/summary/summary-message.ts';

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

/** What earlier summaries hold, by section, oldest first, so that new facts can follow. */
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
    // Its facts are taken from the ledger itself, and copied behind the new summary.
    readSummary(withoutSummaryTags(message.kind === 'summary' ? withoutLedger(text) : text), own);
    for (const [name, items] of Object.entries(own) as [SectionName, string[]][]) {
      notes[name].push(...(newestFirst.has(name) ? items.reverse() : items));
    }
  }
  return { ...notes, characters };
}

/** Lines around the notes, which whoever writes the next message of them writes anew. */
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
    // Nobody knows who wrote that something was asked: it stays a note.
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
