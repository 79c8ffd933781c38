import { type ChatMessage, textOf } from '../../compaction/messages/message.ts';
import { isSummaryText } from '../../compaction/summary/summary-form.ts';
import { parseReferences } from '../attachments/parse-references.ts';
import { continueText } from '../session/system-prompt.ts';
import { isRecord } from '../../language/is-record.ts';

/** A tool call of the current turn with its result. */
export interface MadeCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Undefined if there is no result, or if a compaction hid it. */
  readonly result: string | undefined;
}

/** The current turn, as read from the conversation. */
export interface OfflineTurn {
  readonly question: string;
  readonly steps: readonly (readonly MadeCall[])[];
  readonly hiddenIds: ReadonlySet<string>;
}

const hidden = /\brecall\("([^"\n]{1,100})"\)/g;

/** Finds the newest question and the calls made for it. The messages are the only memory of the model. */
export function readTurn(messages: readonly ChatMessage[]): OfflineTurn {
  const asked = messages.findLastIndex(isQuestion);
  const resultOf = resultsBehind(messages, asked);
  const steps = messages.slice(asked + 1).flatMap((message) => {
    const calls = message.tool_calls ?? [];
    if (message.role !== 'assistant' || calls.length === 0) return [];
    return [
      calls.map(({ id, function: called }) => ({
        tool: called.name,
        input: parse(called.arguments),
        result: resultOf.get(id),
      })),
    ];
  });
  const ids = messages
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .flatMap(({ content }) => [...textOf(content).matchAll(hidden)].map((match) => match[1] ?? ''));
  return { question: typedQuestion(textOf(messages[asked]?.content ?? '')), steps, hiddenIds: new Set(ids) };
}

/** True if the user wrote the message; false if a program added it as a user message. */
function isQuestion(message: ChatMessage): boolean {
  if (message.role !== 'user') return false;
  const text = textOf(message.content);
  return text.trim() !== '' && text !== continueText && !isSummaryText(text) && !/^<[a-z_-]+>/.test(text);
}

/** Returns the results of the turn by call id, without placeholders of a compaction. */
function resultsBehind(messages: readonly ChatMessage[], asked: number): ReadonlyMap<string, string> {
  return new Map(
    messages.slice(asked + 1).flatMap((message): [string, string][] => {
      if (message.role !== 'tool' || message.tool_call_id === undefined) return [];
      const text = textOf(message.content);
      const isPlaceholder = text.length < 400 && /^\[[^\n]*\brecall\("/.test(text);
      return isPlaceholder ? [] : [[message.tool_call_id, text]];
    }),
  );
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** A line from the results of `search_text`. */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Lines that `read_file` returned, by number. */
export interface ReadLines {
  readonly path: string;
  readonly lines: ReadonlyMap<number, string>;
  /** Number of lines in the whole file; undefined if the tool returned all of them. */
  readonly total: number | undefined;
}

/** Returns the matches of all searches without repeated lines. */
export function hitsIn(calls: readonly MadeCall[]): readonly FoundLine[] {
  const hits = new Map<string, FoundLine>();
  for (const { tool, result = '' } of calls) {
    if (tool !== 'search_text') continue;
    for (const [, path = '', line = '', text = ''] of result.matchAll(/^(.+?):(\d+): (.*)$/gm)) {
      hits.set(`${path}:${line}`, { path, line: Number(line), text });
    }
  }
  return [...hits.values()];
}

/** Returns the paths from `find_files` without repetition. */
export function foundPaths(calls: readonly MadeCall[]): readonly string[] {
  const paths = calls
    .filter(({ tool }) => tool === 'find_files')
    .flatMap(({ result = '' }) => result.split('\n'))
    .filter((line) => line !== '' && !/^\[.*\]$|^No file matches |^The (?:glob|search) /.test(line));
  return [...new Set(paths)];
}

/** Returns the lines from `read_file`, one entry for each file, in the order of the calls. */
export function readsIn(calls: readonly MadeCall[]): readonly ReadLines[] {
  const files = new Map<string, ReadLines>();
  for (const { tool, input, result = '' } of calls) {
    if (tool !== 'read_file' || typeof input['path'] !== 'string') continue;
    const path = input['path'];
    const lines = new Map(files.get(path)?.lines);
    for (const [, number = '', text = ''] of result.matchAll(/^(\d+)\t(.*)$/gm))
      lines.set(Number(number), text);
    if (lines.size > 0) files.set(path, { path, lines, total: totalIn(result) });
  }
  return [...files.values()];
}

function totalIn(result: string): number | undefined {
  const total = /\n\[Lines \d+–\d+ of (\d+)\./.exec(result)?.[1];
  return total === undefined ? undefined : Number(total);
}

/** Matches the beginning of the attachments, after the typed text. */
const attached = /\n\n<attachment(?:-\d+)? type="/u;

/** Returns the text that the user typed, without attachments. Attached files are named by path. */
export function typedQuestion(message: string): string {
  const [typed = ''] = message.split(attached, 1);
  let question = '';
  let end = 0;
  for (const reference of parseReferences(typed)) {
    question += typed.slice(end, reference.start);
    ({ end } = reference);
    // Keeps the path without `@`. An attached selection or open file has no path.
    if (reference.source.type === 'path') question += typed.slice(reference.start + 1, end);
  }
  return question + typed.slice(end);
}
