import { attributeOf, type TagSuffix } from '../quoting/session-tags.ts';
import { withoutHeadings } from '../quoting/neutralise.ts';
import { cleanText } from '../quoting/quoted.ts';
import {
  emptyLedger,
  type ErrorFact,
  type Fact,
  type FileFact,
  type Ledger,
  type LedgerSection,
  type MarkedAs,
} from '../messages/ledger.ts';
import { commandWords, notRunWords } from './call-words.ts';
import { fileLines, fileWords } from './file-lines.ts';
import { type CountTexts, renderSections } from './render-sections.ts';

/** Heading of calls that did not run, in every text for models. */
export const notRunTitle = 'Not run, or not known to have run (calls of the assistant)';

/** Heading of sentences that the user marked, in every text for models. */
export const markedTitle = 'Marked (by the user)';

/** Heading of open questions, in every text for models. */
export const openQuestionsTitle = 'Open questions (quoted from the chat)';

/** Heading of earlier requests, in every text for models. */
export const requestsTitle = 'Earlier requests (of the user), each with what came of it, oldest first';

/**
 * Sections in the order in which they are written, with the share of the room that each may take first.
 * Changes and commands come first, because later work needs them most. Each title names the author of its
 * words. Marked sentences and requests have separate sections before the notes.
 */
const sections: readonly (readonly [section: LedgerSection, title: string, share: number])[] = [
  ['constraints', 'Rules (of the user)', 0.08],
  ['decisions', 'Decisions (of the user)', 0.05],
  ['preferences', 'Preferences (of the user)', 0.03],
  ['replaced', 'Replaced (words of the user, no longer valid)', 0.04],
  ['choices', 'Choices (of the assistant)', 0.02],
  ['questions', openQuestionsTitle, 0.03],
  ['nextSteps', 'Next steps (of the assistant)', 0.06],
  ['filesModified', 'Files changed', 0.19],
  ['filesRead', 'Files read', 0.14],
  ['commands', 'Commands (of the assistant)', 0.22],
  ['notRun', notRunTitle, 0.02],
  ['errors', 'Errors still open (printed by tools: data)', 0.07],
  ['identifiers', 'Identifiers', 0.05],
];

/** Headings of sections with words of the user or the program, which a model's notes must not use. */
const ownTitles: readonly string[] = [
  'Where it stands',
  'Marked',
  'Asked',
  'Earlier requests',
  'Rules',
  'Constraints',
  'Decisions',
  'Preferences',
  'Replaced',
];

/**
 * Neutralises foreign notes, so that no part of them looks like a marker, one of our delimiters, or a section
 * of copied facts.
 */
export function cleanBody(body: string, tagSuffix: TagSuffix): string {
  return withoutHeadings(cleanText(body, tagSuffix), ownTitles);
}

/** Text between the heading of a list of files and the common folder of these files. */
const rootWords = ', in ';
const rootHeading = /^## Files (?:changed|read), in (\S.*)$/gmu;

/** Returns the common folders that the file headings of a text name. */
export function rootsIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(rootHeading), ([, root = '']) => root))];
}

/** A written ledger. */
interface RenderedLedger {
  /** Empty if not even one fact fits. */
  readonly text: string;
  /** Facts in the text. */
  readonly ledger: Ledger;
}

/**
 * Writes the facts of a ledger within a token limit, one per line, newest first. No fact can end its line or its
 * section. Files are written relative to their common folder, which the heading names. `renderSections` writes marked
 * sentences and requests.
 */
export async function renderLedger(
  ledger: Ledger,
  tokens: number,
  tagSuffix: TagSuffix,
  count: CountTexts,
): Promise<RenderedLedger> {
  const facts = sections.map(([section]): readonly Fact[] => ledger[section].toReversed());
  const { text, taken } = await renderSections(
    sections.map(([section, title, share], index) => {
      const isFiles = section === 'filesModified' || section === 'filesRead';
      if (!isFiles) return { title, share, lines: facts[index]!.map((fact) => factLine(fact, tagSuffix)) };
      const { root, lines } = fileLines<string | FileFact>(ledger[section].toReversed());
      return {
        title: root === undefined ? title : `${title}${rootWords}${factLine(root, tagSuffix)}`,
        share,
        lines: lines.map(({ text: line }) => factLine(line, tagSuffix)),
      };
    }),
    tokens,
    tagSuffix,
    count,
  );
  // Written newest first, stored oldest first.
  const written = sections.map(
    ([section], index) =>
      [section, facts[index]!.filter((_fact, line) => taken[index]!.has(line)).toReversed()] as const,
  );
  return { text, ledger: { ...emptyLedger, ...Object.fromEntries(written) } };
}

/** Maximum number of cached lines. Most facts of a session are written again at its next compaction. */
const mostLines = 10_000;
const neutralLines = { tagSuffix: '', of: new Map<string, string>() };

/** Returns a fact as a line of a section. */
export function factLine(fact: Fact, tagSuffix: TagSuffix): string {
  const line = lineOf(fact);
  if (neutralLines.tagSuffix !== tagSuffix || neutralLines.of.size >= mostLines) {
    neutralLines.tagSuffix = tagSuffix;
    neutralLines.of.clear();
  }
  const known = neutralLines.of.get(line) ?? cleanText(line, tagSuffix);
  neutralLines.of.set(line, known);
  return known;
}

/**
 * Returns a fact as one line: a command with its exit status, a replaced sentence with its replacement, an
 * error with its tool.
 */
export function lineOf(fact: Fact): string {
  const line = wordsOf(fact).replace(/\s+/gu, ' ');
  return typeof fact === 'object' && 'tool' in fact ? quotedLine(line, fact.tool) : line;
}

/** Marks a line as output of a tool. */
function quotedLine(line: string, tool: string): string {
  return `[${attributeOf(tool).replace(/[[\]]/gu, '')} printed] ${line}`;
}

function wordsOf(fact: Fact): string {
  if (typeof fact === 'string') return fact;
  if ('path' in fact) return fileWords(fact);
  if ('by' in fact) return `${fact.text} → now: ${fact.by}`;
  if ('tool' in fact) return errorWords(fact);
  if ('as' in fact) return `${markWords[fact.as]}${fact.text}`;
  return 'what' in fact ? notRunWords(fact) : commandWords(fact);
}

/** Returns an error with the number of further errors in the same output. */
function errorWords({ text, more }: ErrorFact): string {
  return more === undefined ? text : `${text} (+${more} more)`;
}

const markWords: Readonly<Record<MarkedAs, string>> = {
  rule: 'Rule: ',
  decision: 'Decision: ',
  done: 'Done: ',
  note: '',
};
