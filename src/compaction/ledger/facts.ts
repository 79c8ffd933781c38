import { isTyped, textOf, type Message } from '../message.ts';

/** What a history holds that an agent may need again, taken from structured fields where there are any. */
export interface Facts {
  readonly files: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  readonly errors: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

/** Argument names under which the tools of common agents take a path, a command, a thing to look for. */
const fileKeys: ReadonlySet<string> = new Set([
  'path',
  'file',
  'file_path',
  'filePath',
  'filename',
  'file_name',
  'target_file',
  'notebook_path',
  'absolute_path',
]);
const commandKeys: ReadonlySet<string> = new Set(['command', 'cmd', 'script']);
const identifierKeys: ReadonlySet<string> = new Set(['pattern', 'query', 'symbol', 'identifier', 'regex']);

const errorLine =
  /^.{0,200}\b(?:[A-Z]\w*(?:Error|Exception)\b|[Ee]rror(?:\[\w+\])?:|fatal:|panic:|E[A-Z]{4,}\b|FAILED\b|Traceback\b).*$/gmu;
const errorsPerResult = 3;
const longestFact = 300;
/** Of a longer result only this much at either end is searched for errors; what matters in a log is at its ends. */
const searchedCharacters = 20_000;

export function factsOf(messages: readonly Message[]): Facts {
  const facts = {
    files: new Set<string>(),
    commands: new Set<string>(),
    errors: new Set<string>(),
    identifiers: new Set<string>(),
  };
  for (const message of messages) {
    for (const call of message.tool_calls ?? []) {
      for (const [key, value] of argumentsOf(call.function.arguments)) {
        if (fileKeys.has(key)) add(facts.files, value);
        else if (commandKeys.has(key)) add(facts.commands, value);
        else if (identifierKeys.has(key)) add(facts.identifiers, value);
      }
    }
    if (message.role === 'tool') for (const line of errorsIn(textOf(message.content))) facts.errors.add(line);
  }
  return facts;
}

/** Texts of the messages that a person typed. */
export function typedTexts(messages: readonly Message[]): readonly string[] {
  return messages.filter(isTyped).map((message) => textOf(message.content));
}

/** The lines of a tool's output that name an error, the first few. */
export function errorsIn(text: string): readonly string[] {
  const searched =
    text.length <= 2 * searchedCharacters
      ? text
      : `${text.slice(0, searchedCharacters)}\n${text.slice(-searchedCharacters)}`;
  const lines: string[] = [];
  for (const [line] of searched.matchAll(errorLine)) {
    lines.push(shorten(line));
    if (lines.length === errorsPerResult) break;
  }
  return lines;
}

/** Top-level string arguments; a list of words, as some tools take a command, is joined. */
function argumentsOf(json: string): readonly (readonly [string, string])[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return [];
  }
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(parsed).flatMap(([key, value]): (readonly [string, string])[] => {
    if (typeof value === 'string') return [[key, value]];
    const isWords = Array.isArray(value) && value.every((word) => typeof word === 'string');
    return isWords ? [[key, value.join(' ')]] : [];
  });
}

function add(facts: Set<string>, text: string): void {
  const fact = shorten(text);
  if (fact !== '') facts.add(fact);
}

function shorten(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= longestFact ? trimmed : trimmed.slice(0, longestFact);
}
