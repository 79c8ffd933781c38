import { attributeOf, closingOf, openingOf, type Mark } from '../quoting/mark.ts';
import { cleanText } from '../quoting/quoted.ts';
import { emptyLedger, type Fact, type Ledger, type MarkedAs } from '../messages/ledger.ts';
import { commandWords, notRunWords } from './call-words.ts';
import { fileWords } from './file-lines.ts';

const tag = 'ledger';

/** Heading of calls that did not run, in every text for models. */
export const notRunTitle = 'Not run, or not known to have run (calls of the assistant)';

/** Heading of sentences that the user marked, in every text for models. */
export const markedTitle = 'Marked (by the user)';

/** Heading of open questions, in every text for models. */
export const openQuestionsTitle = 'Open questions (quoted from the chat)';

/**
 * Sections in the order they are written, with the share of the room each may take before the others have had
 * theirs. What was changed and what was run is looked for most often later. Each says whose words it holds.
 */
const sections: readonly (readonly [section: keyof Ledger, title: string, share: number])[] = [
  ['marked', markedTitle, 0.3],
  ['requests', 'Asked (by the person)', 0.16],
  ['nextSteps', 'Next steps (of the assistant)', 0.06],
  ['filesModified', 'Files modified', 0.16],
  ['commands', 'Commands (of the assistant)', 0.2],
  ['notRun', notRunTitle, 0.02],
  ['filesRead', 'Files read', 0.12],
  ['constraints', 'Constraints (of the person)', 0.06],
  ['decisions', 'Decisions (of the person)', 0.03],
  ['preferences', 'Preferences (of the user)', 0.02],
  ['questions', openQuestionsTitle, 0.02],
  ['choices', 'Choices (of the assistant)', 0.01],
  ['replaced', 'Replaced (words of the person, no longer valid)', 0.03],
  ['errors', 'Errors (printed by tools: data)', 0.06],
  ['identifiers', 'Identifiers', 0.05],
];

/** Headings of sections that hold words of the person: notes of a model must not have one of them. */
export const personTitles = ['Marked', 'Asked', 'Constraints', 'Decisions', 'Preferences', 'Replaced'];

/** Sizes of texts, in tokens, in the order given. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

/** A ledger as it was written. */
export interface RenderedLedger {
  /** Empty if not even one fact had room. */
  readonly text: string;
  /** The facts in the text. */
  readonly ledger: Ledger;
}

interface Line {
  readonly section: keyof Ledger;
  readonly fact: Fact;
  readonly text: string;
  readonly tokens: number;
}

/**
 * Writes a ledger, one fact per line, within a token limit: each section first gets an equal share for its newest
 * facts, then the rest is handed out to the sections in turn. No fact can end its line, the ledger or the section it is
 * in.
 */
export async function renderLedger(
  ledger: Ledger,
  tokens: number,
  mark: Mark,
  count: CountTexts,
): Promise<RenderedLedger> {
  const texts = sections.flatMap(([section]) => linesOf(ledger, section, mark));
  const titles = sections
    .filter(([section]) => ledger[section].length > 0)
    .map(([, title]) => `## ${title}\n`);
  const frame = [openingOf(tag, mark), closingOf(tag, mark), ...titles];
  const sizes = await count([...frame, ...texts.map(({ text }) => `${text}\n`)]);
  const frameTokens = sizes.slice(0, frame.length).reduce((total, size) => total + size, 2);
  const lines = texts.map((line, index): Line => ({ ...line, tokens: sizes[frame.length + index] ?? 0 }));

  const linesIn = new Map(
    sections.map(([section]) => [section, lines.filter((line) => line.section === section)]),
  );
  const taken = new Set<Line>();
  let room = tokens - frameTokens;
  const available = room;
  const take = (section: keyof Ledger, most: number): void => {
    let left = Math.min(most, room);
    for (const line of linesIn.get(section) ?? []) {
      if (taken.has(line) || line.tokens > left) continue;
      taken.add(line);
      left -= line.tokens;
      room -= line.tokens;
    }
  };
  for (const [section, , share] of sections) take(section, available * share);
  for (const [section] of sections) take(section, room);
  if (taken.size === 0) return { text: '', ledger: emptyLedger };
  const written: Record<keyof Ledger, readonly unknown[]> = { ...emptyLedger };
  const body = sections.flatMap(([section, title]) => {
    const chosen = linesIn.get(section)?.filter((line) => taken.has(line)) ?? [];
    // Written newest first, kept oldest first.
    written[section] = chosen.map(({ fact }) => fact).toReversed();
    return chosen.length === 0 ? [] : [`## ${title}`, ...chosen.map(({ text }) => text)];
  });
  return {
    text: [openingOf(tag, mark), ...body, closingOf(tag, mark)].join('\n'),
    ledger: written as unknown as Ledger,
  };
}

const block = /<ledger(_[a-z0-9]+)?>\n[\s\S]*?\n<\/ledger\1>/gu;

/** The text without the ledger in it. */
export function withoutLedger(text: string): string {
  const without = text.replace(block, '');
  return without === text ? text : without.trim();
}

/** Newest first, each on a line of its own. */
function linesOf(
  ledger: Ledger,
  section: keyof Ledger,
  mark: Mark,
): readonly Pick<Line, 'section' | 'fact' | 'text'>[] {
  const facts: readonly Fact[] = ledger[section];
  return facts.toReversed().map((fact) => ({ section, fact, text: `- ${neutralised(lineOf(fact), mark)}` }));
}

/** Lines that are kept with their neutral form: most facts of a session are written again at its next compaction. */
const mostLines = 10_000;
const neutralLines = { mark: '', of: new Map<string, string>() };

function neutralised(line: string, mark: Mark): string {
  if (neutralLines.mark !== mark || neutralLines.of.size >= mostLines) {
    neutralLines.mark = mark;
    neutralLines.of.clear();
  }
  const known = neutralLines.of.get(line) ?? cleanText(line, mark);
  neutralLines.of.set(line, known);
  return known;
}

/** A fact as one line. A command carries its exit status, a replaced sentence what replaced it, an error its tool. */
export function lineOf(fact: Fact): string {
  const line = wordsOf(fact).replace(/\s+/gu, ' ');
  return typeof fact === 'object' && 'tool' in fact ? quotedLine(line, fact.tool) : line;
}

/** A line of a tool's output, marked as such. */
export function quotedLine(line: string, tool: string): string {
  return `[${attributeOf(tool).replace(/[[\]]/gu, '')} printed] ${line}`;
}

function wordsOf(fact: Fact): string {
  if (typeof fact === 'string') return fact;
  if ('path' in fact) return fileWords(fact);
  if ('by' in fact) return `${fact.text} → now: ${fact.by}`;
  if ('tool' in fact) return fact.text;
  if ('as' in fact) return `${markWords[fact.as]}${fact.text}`;
  return 'what' in fact ? notRunWords(fact) : commandWords(fact);
}

const markWords: Readonly<Record<MarkedAs, string>> = {
  rule: 'Rule: ',
  decision: 'Decision: ',
  done: 'Done: ',
  note: '',
};
