import {
  answerToSearch,
  notFound,
  quoteListing,
  quoteOverview,
  quoteRead,
  quoteRecalled,
  smallTalk,
  unavailable,
} from './answers.ts';
import { commonStart, partsOf, type Term } from './offline-terms.ts';
import { type MadeCall, foundPaths, readsIn, type OfflineTurn } from './offline-turn.ts';
import { type Question, readQuestion } from './question.ts';
import { quoteAround, searchResult, type Target } from './quotes.ts';
import { isSameFile } from './ranking.ts';
import { agentSentences } from '../../language/english/agent-english.ts';

/** The end of the error message for a path that is a directory. */
const isDirectory = agentSentences.english.fileIsDirectory.replace('{file} ', '');

type Step = { readonly calls: readonly PlannedCall[] } | { readonly answer: string };

const mostSteps = 4;
/** Number of lines read before a passage, so that a quote can begin at a natural boundary. */
const readBefore = 8;
const readBehind = 16;
/** Number of lines quoted from a file that was named without a range. */
const headOfFile = 40;

/** Decides the next step from the question and the findings. Pure: the same turn always leads to the same step. */
export function nextStep(turn: OfflineTurn, tools: ReadonlySet<string>): Step {
  const question = readQuestion(turn.question, turn.hiddenIds);
  const made = turn.steps.flat();
  const step = plan(question, turn, made);
  if ('answer' in step) return step;
  const key = ({ tool, input }: PlannedCall) => `${tool} ${JSON.stringify(input)}`;
  const known = new Set(made.map(key));
  const calls = turn.steps.length >= mostSteps ? [] : step.calls;
  const fresh = [...new Map(calls.map((call) => [key(call), call])).entries()]
    .filter(([name, call]) => tools.has(call.tool) && !known.has(name))
    .map(([, call]) => call);
  if (fresh.length > 0) return { calls: fresh };
  if (made.length === 0) return { answer: unavailable(question) };
  return { answer: step.otherwise() };
}

type PlannedCalls =
  { readonly answer: string } | { readonly calls: readonly PlannedCall[]; otherwise(): string };

function plan(question: Question, turn: OfflineTurn, made: readonly MadeCall[]): PlannedCalls {
  switch (question.kind) {
    case 'talk':
      return { answer: smallTalk };
    case 'recall': {
      const call = made.find(({ tool, result }) => tool === 'recall' && result !== undefined);
      if (call?.result !== undefined) return { answer: quoteRecalled(question.id, call.result) };
      return {
        calls: [{ tool: 'recall', input: { id: question.id } }],
        otherwise: () => unavailable(question),
      };
    }
    case 'list':
      return planListing(question, made);
    case 'overview':
      return planOverview(made);
    case 'read':
      return planReading(question, made);
    case 'search':
      return planSearch(question, turn, made);
  }
}

function planListing(question: Question & { kind: 'list' }, made: readonly MadeCall[]): PlannedCalls {
  const done = made.find(({ result }) => result !== undefined);
  if (done?.result !== undefined) {
    return { answer: quoteListing(question.glob ?? question.path ?? '.', done.result) };
  }
  const call: PlannedCall =
    question.glob === undefined
      ? { tool: 'list_directory', input: { path: question.path ?? '.' } }
      : { tool: 'find_files', input: { glob: question.glob } };
  return { calls: [call], otherwise: () => unavailable(question) };
}

function planOverview(made: readonly MadeCall[]): PlannedCalls {
  const listing = made.find(({ tool }) => tool === 'list_directory')?.result;
  const [readme] = [...foundPaths(made)].sort((one, other) => one.length - other.length);
  const [read] = readsIn(made);
  const answer = () => quoteOverview(listing, read === undefined ? undefined : quoteAround(read, 1, 8));
  if (made.length === 0) {
    return {
      calls: [
        { tool: 'list_directory', input: { path: '.' } },
        { tool: 'find_files', input: { glob: '[Rr][Ee][Aa][Dd][Mm][Ee]*' } },
      ],
      otherwise: answer,
    };
  }
  if (readme === undefined || read !== undefined) return { answer: answer() };
  return { calls: [readCall(readme, 1, headOfFile)], otherwise: answer };
}

function planReading(question: Question & { kind: 'read' }, made: readonly MadeCall[]): PlannedCalls {
  const { file, start = 1, end } = question;
  const [read] = readsIn(made);
  const tried = made.filter(({ tool }) => tool === 'read_file');
  const refusal = tried.find(({ result }) => result !== undefined)?.result;
  const listing = made.find(({ tool }) => tool === 'list_directory')?.result;
  if (read !== undefined) return { answer: quoteRead(read, { start, end }) };
  if (listing !== undefined) return { answer: quoteListing(file, listing) };
  const first = readCall(file, start, end ?? start + headOfFile - 1);
  const answer = () => notFound([file], [], refusal);
  if (tried.length === 0) return { calls: [first, findFile(file)], otherwise: answer };
  if (refusal?.includes(isDirectory) === true) {
    return { calls: [{ tool: 'list_directory', input: { path: file } }], otherwise: answer };
  }
  const [found] = foundPaths(made).filter((path) => isSameFile(path, file));
  if (found === undefined) return { answer: answer() };
  return { calls: [readCall(found, start, end ?? start + headOfFile - 1)], otherwise: answer };
}

function planSearch(
  question: Question & { kind: 'search' },
  turn: OfflineTurn,
  made: readonly MadeCall[],
): PlannedCalls {
  const { files, terms } = question;
  const result = searchResult(question, made);
  const answer = () => answerToSearch(result);
  if (turn.steps.length === 0) return { calls: firstSearches(files, terms), otherwise: answer };
  if (made.some(({ tool }) => tool === 'read_file')) return { answer: answer() };
  if (result.targets.length > 0) {
    const calls = readCalls(result.targets);
    return { calls, otherwise: answer };
  }
  if (made.some(({ tool }) => tool === 'list_directory')) return { answer: answer() };
  return { calls: fallbackSearches(terms), otherwise: answer };
}

/** Plans a call for each passage. Nearby passages of a file share one call. */
function readCalls(targets: readonly Target[]): readonly PlannedCall[] {
  const ranges: { readonly path: string; start: number; end: number }[] = [];
  for (const { path, first, last } of targets) {
    const start = Math.max(1, first - readBefore);
    const end = last + readBehind;
    const near = ranges.find(
      (range) => range.path === path && start <= range.end + 1 && range.start <= end + 1,
    );
    if (near === undefined) ranges.push({ path, start, end });
    else {
      near.start = Math.min(near.start, start);
      near.end = Math.max(near.end, end);
    }
  }
  return ranges.map(({ path, start, end }) => readCall(path, start, end));
}

function readCall(path: string, start: number, end: number): PlannedCall {
  return { tool: 'read_file', input: { path, start_line: start, end_line: end } };
}

interface PlannedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const searchedTerms = 3;
const signposts =
  'class|interface|type|enum|function|def|fn|func|struct|trait|impl|module|namespace|const|let|var|val';

/** Plans the first search: definitions and headings of each term, lines with several terms, and distinctive terms. */
function firstSearches(files: readonly string[], terms: readonly Term[]): readonly PlannedCall[] {
  const names = terms.filter((term) => !isPair(term)).slice(0, searchedTerms);
  const pairs = terms.filter(isPair).map(patternOf);
  const calls: PlannedCall[] = files.slice(0, 2).map(findFile);
  const name = names.find((term) => term.kind !== 'quoted' && /^[\w-]{4,}$/.test(term.text));
  if (name !== undefined) calls.push({ tool: 'find_files', input: { glob: nameGlob(name) } });

  const patterns = names.map(patternOf);
  const together = patterns.flatMap((one, index) =>
    patterns.flatMap((other, position) => (index === position ? [] : [`(?:${one}).*(?:${other})`])),
  );
  if (together.length > 0) calls.push(search([...pairs, ...together].join('|'), 60));
  for (const [index, term] of names.entries()) {
    const pattern = patterns[index] ?? '';
    calls.push(search(`^#+ .*(?:${pattern})|\\b(?:${signposts})\\b[^=(]*(?:${pattern})`, 40));
    if (names.length === 1 || term.weight > 2) calls.push(search(pattern, 60));
  }
  return calls;
}

/** Plans the second search, if the first had no hits: each term alone, and the parts of names and phrases. */
function fallbackSearches(terms: readonly Term[]): readonly PlannedCall[] {
  const parts = terms.flatMap(({ text }) => [...partsOf(text).map(commonStart), ...charactersOf(text)]);
  const patterns = [...new Set([...terms.map(patternOf), ...parts.map(escape)])].slice(0, 6);
  return [
    ...patterns.map((pattern) => search(pattern, 40)),
    { tool: 'list_directory', input: { path: '.' } },
  ];
}

function findFile(name: string): PlannedCall {
  const plain = name.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**');
  return { tool: 'find_files', input: { glob: plain.startsWith('**/') ? plain : `**/${plain}` } };
}

function search(pattern: string, most: number): PlannedCall {
  // The patterns are in lower case, because the search then ignores case.
  return { tool: 'search_text', input: { pattern, max_results: most } };
}

function patternOf(term: Term): string {
  if (term.kind === 'word' && /[- ]/.test(term.text)) {
    const parts = term.text.split(/[- ]/).map((part) => escape(commonStart(part.toLowerCase())));
    return parts.join('\\w*[-_ ]?');
  }
  const text = term.kind === 'word' ? (term.forms.at(-1) ?? term.text) : term.text;
  return escape(text.toLowerCase());
}

/** True for two words of a question that may form one name. */
function isPair(term: Term): boolean {
  return term.kind === 'word' && term.text.includes(' ');
}

function nameGlob(term: Term): string {
  const forms = term.forms.filter((form) => !form.includes(' '));
  const capital = term.text.charAt(0).toUpperCase() + term.text.slice(1);
  const spellings = [...new Set([...forms, term.text, capital])];
  return spellings.length === 1 ? `**/*${spellings[0] ?? ''}*` : `**/*{${spellings.join(',')}}*`;
}

/** Returns pairs of Chinese characters, which find the parts of compounds. Chinese is written without spaces. */
function charactersOf(text: string): readonly string[] {
  if (!/^\p{Script=Han}{3,}$/u.test(text)) return [];
  const characters = Array.from(text);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&');
}
