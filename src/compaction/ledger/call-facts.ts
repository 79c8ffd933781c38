import { calledFunction } from './called-function.ts';
import { filesBeforeEnd, filesOfCommand } from './command-files.ts';
import { isLookup } from './lookups.ts';
import {
  type Deed,
  enoughLines,
  filesInPatch,
  hasFileName,
  pathOfArgument,
  pathOfText,
  type TouchedFile,
} from './path-words.ts';
import type { ToolCall } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import { headOf } from '../text/clip.ts';
import { parseShallow } from '../text/parse-json.ts';
import { isRecord } from '../../language/is-record.ts';

/** Facts named in the arguments of one call. */
interface CallFacts {
  /** Files in order, with their use. */
  readonly files: readonly TouchedFile[];
  /** Files of all commands except the last. These commands ran even if the call failed. */
  readonly filesBeforeEnd: readonly TouchedFile[];
  /** Paths of the files that are changed, created or deleted. */
  readonly filesModified: readonly string[];
  readonly filesRead: readonly string[];
  /** Command lines as written, with their line feeds. */
  readonly commands: readonly string[];
  /** Values of id arguments, except ids of the agent's own tasks, processes and sessions. */
  readonly identifiers: readonly string[];
  /** Search terms as written: words, expressions, questions. */
  readonly searched: readonly string[];
  /** Folder in which the call runs its command, if the call itself names one. */
  readonly folder: string | undefined;
}

/** Names of the arguments for a path, a command or a search term in the tools of common agents. */
const fileKey =
  /^(?:paths?|files?|file_?names?|file_?paths?|(?:target|absolute|notebook|relative|old|new|source|destination|src|dest)_?(?:file|path|file_?path)|(?:target|absolute|relative|notebook)_?files?|uri)$/i;
const commandKey = /^(?:command|commands|cmd|script|input_command)$/i;
const searchKey = /^(?:pattern|query|queries|symbol|identifier|regex|search_?term)$/;
const idKey = /^(?:.+_ids?|.+Ids?)$/;
/** Ids that agents give their own tasks, processes and sessions. They have no meaning later. */
const ownIdKey =
  /^(?:task|agent|shell|bash|process|session|terminal|tool_?use|tool_?call|call|request|todo|cell|thread|cmd|exec)_?ids?$/i;
/** Words that an editor tool takes as its `command`. They are not shell commands. */
const editorCommands: ReadonlySet<string> = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit']);
const modifyingTool =
  /(?:write|edit|patch|create|replace|insert|delete|remove|rename|move|save|overwrite|append)/i;
/** Tools that search folders. Their path counts as a file only if its name looks like a file name. */
const searchingTool = /(?:grep|glob|search|find|list|tree)|^(?:ls|rg|dir)$|_(?:ls|rg|dir)$/i;
/** Tools that read only files, never folders. */
const readingTool = /^(?:read|read_?files?|cat|view_?file|open_?file)$/i;
const patchingTool = /patch|diff|edit/i;
const deletingTool = /delete|remove/i;
const writingTool = /write|create|save|overwrite/i;
const movingTool = /rename|move/i;
const sourceKey = /^(?:old|source|src|from)/i;
/** Arguments with the text of a file. The text may look like a path. */
const contentKey =
  /^(?:content|contents|text|body|data|(?:old|new)_?(?:str|string|text|content|source)|replacement|insert.*|code_edit|prompt|message|thought|description)$/i;
/** Argument names for the folder of a command. */
const folderKeys = ['workdir', 'cwd', 'dir_path', 'directory'] as const;
/** Key under which some session formats store the displayed form of a call instead of its arguments. */
const displayKey = 'display';
/** A shell that only wraps the command. */
const shellWrapper = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c (?:(["'])([\s\S]*)\1$)?/u;
/** Tools that run a command. */
const shellTool =
  /^(?:bash|shell|terminal|run_?(?:shell_?command|in_?terminal|terminal_?cmd|command)|exec_?command)$/iu;
const deepest = 4;

/** Facts of a call whose arguments name none. */
const noFacts: CallFacts = {
  files: [],
  filesBeforeEnd: [],
  filesModified: [],
  filesRead: [],
  commands: [],
  identifiers: [],
  searched: [],
  folder: undefined,
};

/** Returns the facts in a call's arguments, cached; no facts if the arguments are not JSON. */
export const factsOfCall = memoised((call: ToolCall): CallFacts => {
  const called = calledFunction(call.function);
  if (isLookup(called.name)) return noFacts;
  const files: TouchedFile[] = [];
  const remaining: TouchedFile[] = [];
  const commands = new Set<string>();
  const identifiers = new Set<string>();
  const searched = new Set<string>();
  const root = parseShallow(called.arguments)?.value;
  const editor = isRecord(root) ? root['command'] : undefined;
  const isEditor = typeof editor === 'string' && editorCommands.has(editor);
  const modifies = isEditor ? editor !== 'view' : modifyingTool.test(called.name);
  const isSearch = !modifies && !isEditor && searchingTool.test(called.name);
  const isReading = readingTool.test(called.name);
  const folder = folderOfInput(root);
  const isLook = !enoughLines(linesAsked(root));
  const touch = (key: string, path: string): void => {
    if (!modifies && !isReading && !hasFileName(path)) return;
    const what = modifies ? deedOf(isEditor ? editor : called.name, key) : 'read';
    files.push({ path, what, ...(what === 'read' && (isSearch || isLook) && { isNamed: true }) });
  };

  const visit = (key: string, value: unknown, depth: number): void => {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      const path = fileKey.test(key) ? pathOfArgument(value, isSearch) : undefined;
      if (path !== undefined) touch(key, path);
      else if (commandKey.test(key) && !isEditor) addCommand(value);
      else if (idKey.test(key)) {
        if (!ownIdKey.test(key)) add(identifiers, value);
      } else if (searchKey.test(key)) {
        add(searched, value);
      } else if (modifies) {
        if (patchingTool.test(called.name) && !fileKey.test(key)) files.push(...filesInPatch(value));
      } else if (key === displayKey && shellTool.test(called.name)) {
        const shown = commandOfDisplay(value);
        if (shown !== undefined) addCommand(shown.command);
      } else if (!contentKey.test(key)) {
        const shown = pathOfText(key === displayKey ? value.replace(/^`(.*)`$/u, '$1') : value);
        if (shown !== undefined) touch(key, shown);
      }
    } else if (Array.isArray(value)) {
      const isWords = commandKey.test(key) && value.every((word) => typeof word === 'string');
      // `command: ["git", "status"]` is one command, but `commands: ["ls", "pwd"]` are two.
      if (isWords && !/s$/i.test(key)) addCommand(commandOfWords(value));
      else for (const entry of value) visit(key, entry, depth + 1);
    } else if (isRecord(value)) {
      for (const [name, entry] of Object.entries(value)) visit(name, entry, depth + 1);
    }
  };
  const addCommand = (text: string): void => {
    const command = text.replace(shellWrapper, '$2').trim();
    if (command === '') return;
    commands.add(command);
    files.push(...filesOfCommand(command, folder));
    remaining.push(...filesBeforeEnd(command, folder));
  };
  visit('', root, 0);
  const changed = new Set(files.filter(({ what }) => what !== 'read').map(({ path }) => path));
  const read = files.flatMap(({ path, what }) => (what === 'read' && !changed.has(path) ? path : []));
  return {
    files,
    filesBeforeEnd: remaining,
    filesModified: [...changed],
    filesRead: [...new Set(read)],
    commands: [...commands],
    identifiers: [...identifiers],
    searched: [...searched],
    folder: called === call.function ? folder : undefined,
  };
});

/** Argument names of reading tools: for the number of lines, the first line and the last line. */
const lineKeys: readonly RegExp[] = [
  /^(?:limit|num_?lines|line_?count|max_?lines)$/iu,
  /^(?:start|first|from)_?line/iu,
  /^(?:end|last|to)_?line/iu,
];

/** Returns the number of lines that a call requests; infinite for a whole file. */
function linesAsked(input: unknown): number {
  if (!isRecord(input)) return Infinity;
  const asked = Object.entries(input);
  const [limit, start, end] = lineKeys.map((key) => asked.find(([name]) => key.test(name))?.[1]);
  const range: unknown = input['view_range'];
  const [first, last] = Array.isArray(range) ? (range as readonly unknown[]) : [start, end];
  if (typeof limit === 'number' && limit > 0) return limit;
  return typeof last === 'number' && last > 0 ? last - (typeof first === 'number' ? first : 1) + 1 : Infinity;
}

function folderOfInput(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const folder = folderKeys.map((key) => input[key]).find((value) => typeof value === 'string');
  return typeof folder === 'string' && folder !== '' ? folder : undefined;
}

/** Joins words into a command line. Removes a shell that only wraps the command. */
function commandOfWords(words: readonly string[]): string {
  const [program = '', option = '', script] = words;
  const isShell = /^(?:\/\S*\/)?(?:ba|z|da)?sh$/u.test(program) && /^-l?c$/u.test(option);
  return isShell && script !== undefined && words.length === 3 ? script : words.join(' ');
}

function deedOf(tool: string, key: string): Deed {
  if (deletingTool.test(tool)) return 'deleted';
  if (movingTool.test(tool)) return sourceKey.test(key) ? 'deleted' : 'written';
  return writingTool.test(tool) ? 'written' : 'edited';
}

function add(facts: Set<string>, text: string): void {
  const fact = factText(text);
  if (fact !== '') facts.add(fact);
}

/** SpecStory stores calls as displayed: first the purpose of a command, then the command in backticks or in a fence. */
const inlineCommand = /(?:^|\n)`(?<command>[^`\n](?:[^]*[^`\n])?)`$/u;
const fencedCommand = /(?:^|\n)(?<fence>`{3,})(?:bash|sh|shell|zsh|console)?\n(?<command>[^]*?)\n\k<fence>$/u;

/** Reads the command and its purpose from the displayed form of a shell call; undefined without a command. */
export function commandOfDisplay(
  display: string,
): { readonly description: string; readonly command: string } | undefined {
  const found = fencedCommand.exec(display) ?? inlineCommand.exec(display);
  const command = found?.groups?.['command'];
  if (found === null || command === undefined) return undefined;
  return { description: display.slice(0, found.index).trim(), command };
}

/** True for the name of an argument with a path, command, search term or id. Agents look these up later. */
export function isFactKey(key: string): boolean {
  return fileKey.test(key) || commandKey.test(key) || searchKey.test(key) || idKey.test(key);
}

/** Maximum length of a fact's text, in characters. */
export const longestFact = 400;

/** Writes a fact on one line. Folds white space and cuts overlong text. */
export function factText(text: string): string {
  const line = text
    .slice(0, 4 * longestFact)
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length <= longestFact ? line : headOf(line, longestFact).trimEnd();
}
