import { extractLedger } from '../../compaction/ledger/extract.ts';
import { distinctFiles } from '../../compaction/text/file-names.ts';
import { fromFolder } from '../../compaction/text/from-folder.ts';
import { missingFacts } from '../../compaction/ledger/coverage.ts';
import { hookFactsHead } from '../../compaction/ledger/lookups.ts';
import { keptIn } from '../../compaction/ledger/kept-facts.ts';
import { lineOf, markedTitle, notRunTitle, openQuestionsTitle } from '../../compaction/ledger/render.ts';
import type { CountTexts } from '../../compaction/ledger/render-sections.ts';
import {
  emptyLedger,
  type Fact,
  filterLedger,
  type Ledger,
  mergeFiles,
  textOfFact,
} from '../../compaction/messages/ledger.ts';
import type { Message } from '../../compaction/messages/message.ts';
import { cleanText } from '../../compaction/quoting/quoted.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { applyRecord, viewBefore } from '../../compaction/transcript/view.ts';
import { quotedHistory } from '../../compaction/transcript/quoted-history.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { type HandoffSection, sectionText, writeHandoff } from './handoff-text.ts';

/**
 * Returns the facts of a history that a context neither contains nor names, as `keptIn` decides. Each file
 * appears under its first name.
 *
 * @param view the context
 * @param folder absolute path of the agent's working folder
 */
export function lostLedger(history: Ledger, view: readonly Message[], folder?: string): Ledger {
  const isKept = keptIn(view, folder);
  return filterLedger(withDistinctFiles(history, folder), (section, fact) => !isKept(section, fact));
}

/** Returns the ledger without folders. Each file appears once, under its first name. */
export function withDistinctFiles(ledger: Ledger, folder: string | undefined): Ledger {
  const { filesModified, filesRead } = ledger;
  const files = new Set(distinctFiles([...filesModified.map(textOfFact), ...filesRead], folder));
  return {
    ...ledger,
    filesModified: filesModified.filter(({ path }) => files.has(path)),
    filesRead: filesRead.filter((path) => files.has(path)),
  };
}

/**
 * Returns the facts that a compaction's record counts as missing, including rules and decisions in typed
 * text. A missing message is represented by the request that the user typed in it.
 *
 * @param record a record of the transcript
 */
export function lostByRecord({ entries }: Pick<Transcript, 'entries'>, record: CompactionRecord): Ledger {
  const { id, folder } = record;
  const before = viewBefore(entries, id);
  const after = applyRecord(before, record);
  const missing = new Set(missingFacts(before, after, folder).userMessages);
  const {
    nextSteps: _steps,
    questions: _questions,
    choices: _choices,
    notRun: _notRun,
    replaced: _replaced,
    ...counted
  } = emptyLedger;
  const lost = lostLedger(extractLedger(before), after, folder);
  return {
    ...emptyLedger,
    ...Object.fromEntries(Object.keys(counted).map((section) => [section, lost[section as keyof Ledger]])),
    requests: before
      .filter((message) => missing.has(message.id))
      .flatMap((message) => extractLedger([message]).requests),
  };
}

/** Makes paths below a folder relative, because they are shorter and name the same file. */
export function withPathsFrom(folder: string | undefined, ledger: Ledger): Ledger {
  const shorter = (path: string) => fromFolder(path, folder);
  return {
    ...ledger,
    filesModified: mergeFiles(ledger.filesModified.map((file) => ({ ...file, path: shorter(file.path) }))),
    filesRead: [...new Set(ledger.filesRead.map(shorter))],
  };
}

/**
 * Sections in the order in which an agent needs them. The user's rules come first, because users complain most about
 * broken rules. The state of the work follows, then facts that can be looked up again. If not everything fits, the
 * first sections get more space. The user's words are lists; all other sections are a block of code.
 */
const sections: readonly (readonly [
  section: keyof Ledger,
  title: string,
  isCode: boolean,
  weight: number,
])[] = [
  ['marked', markedTitle, false, 8],
  ['constraints', 'Rules (of the user)', false, 8],
  ['decisions', 'Decisions (of the user)', false, 4],
  ['preferences', 'Preferences (of the user)', false, 2],
  ['questions', openQuestionsTitle, true, 1],
  ['nextSteps', 'Next steps (of the assistant)', true, 2],
  ['filesModified', 'Files modified', true, 2],
  ['errors', 'Errors still open (printed by tools: data)', true, 2],
  ['commands', 'Commands run (by the assistant)', true, 1],
  ['notRun', notRunTitle, true, 1],
  ['filesRead', 'Files read', true, 1],
  ['requests', 'Asked earlier (by the user)', false, 1],
  ['choices', 'Choices (of the assistant)', true, 1],
  ['identifiers', 'Names searched for', true, 1],
];

/** Title of the section on the state of the work, which comes first in every text. */
export const stateTitle = 'Where it stands (from calls and their results: data)';
/** Relative share of the space for the state, which is short and needed first. */
export const stateWeight = 8;

/** Assumed tokens of a short fact, which limit the number of facts in a section. */
const shortFact = 8;

/** Sections to omit first if not everything fits, because a search finds their facts again. */
const leastNeeded: ReadonlySet<keyof Ledger> = new Set(['choices', 'identifiers']);

/**
 * Writes lost facts for the agent that lost them. The text is Markdown in English, like all text for models. Every
 * section keeps its newest facts.
 *
 * @param limit maximum tokens of the text
 * @param state lines about the state of the work, which come first
 * @returns an empty string without facts or space. A last request alone does not count as a fact
 */
export async function writeLostFacts(
  ledger: Ledger,
  limit: number,
  count: CountTexts,
  state: readonly string[] = [],
): Promise<string> {
  const most = Math.floor(limit / shortFact);
  const shown = { ...ledger, requests: requestsBesides(ledger) };
  const facts = sections
    .map(([section, title, isCode, weight]) => {
      // Facts that the state contains in the same words are not repeated.
      const facts = shown[section].filter((fact) => !state.some((line) => saysIt(line, section, fact)));
      const items = facts.slice(-most).map((fact) => cleanText(lineOf(fact)));
      return {
        section,
        title,
        isCode,
        weight,
        items,
        ...(facts.length > most && { left: facts.length - most }),
      };
    })
    .filter(({ items }) => items.length > 0);
  if (facts.length === 0 && state.length <= 1) return '';
  const stateSections: readonly HandoffSection[] =
    state.length === 0
      ? []
      : [
          {
            title: stateTitle,
            isCode: true,
            weight: stateWeight,
            items: state.map((line) => cleanText(line)),
          },
        ];
  const all = [...stateSections, ...facts];
  if (all.every(({ left }) => left === undefined)) {
    const whole = [hookFactsHead, ...all.map(sectionText)].join('\n\n');
    const [tokens = 0] = await count([whole]);
    if (tokens <= limit) return whole;
  }
  const needed = facts.filter(({ section }) => !leastNeeded.has(section));
  const chosen = [...stateSections, ...(needed.length > 0 ? needed : facts)];
  const text = await writeHandoff(hookFactsHead, chosen, limit, count);
  return text.includes('\n## ') ? text.trimEnd() : '';
}

/** True if a line of the state names this open step or question in the same words. */
function saysIt(line: string, section: keyof Ledger, fact: Fact): boolean {
  return (section === 'nextSteps' || section === 'questions') && line.endsWith(`: ${textOfFact(fact)}`);
}

/** Returns requests without sentences that other sections list, or that later sentences replaced. */
function requestsBesides(ledger: Ledger): readonly string[] {
  const { requests, constraints, decisions, preferences, replaced } = ledger;
  const listed = [...constraints, ...decisions, ...preferences, ...replaced.map(textOfFact)];
  return requests
    .map((request) => listed.reduce((left, sentence) => left.replaceAll(sentence, ' '), request))
    .map((request) => request.replace(/\s+/gu, ' ').trim())
    .filter((request) => /[\p{L}\p{N}]/u.test(request));
}

/**
 * Returns the facts of a session that its context neither contains nor names.
 *
 * @param folder absolute path of the agent's working folder
 */
export function lostFrom(transcript: Pick<Transcript, 'entries' | 'view'>, folder?: string): Ledger {
  return lostLedger(extractLedger(quotedHistory(transcript)), transcript.view, folder);
}
