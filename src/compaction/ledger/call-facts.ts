import type { ToolCall } from '../message.ts';
import { parseShallow } from '../text/parse-json.ts';
import { factText } from './fact-text.ts';
import { pathOfArgument, pathOfText, pathsInCommand, pathsInPatch } from './paths.ts';

/** What the arguments of one call name. */
export interface CallFacts {
  readonly filesModified: readonly string[];
  readonly filesRead: readonly string[];
  readonly commands: readonly string[];
  readonly identifiers: readonly string[];
}

/** Argument names under which the tools of common agents take a path, a command, a thing to look for. */
const fileKey =
  /^(?:paths?|files?|file_?names?|file_?paths?|(?:target|absolute|notebook|relative|old|new|source|destination|src|dest)_?(?:file|path|file_?path)|(?:target|absolute|relative|notebook)_?files?|uri)$/i;
const commandKey = /^(?:command|commands|cmd|script|input_command)$/i;
const identifierKey = /^(?:pattern|query|queries|symbol|identifier|regex|search_?term|.+_ids?|.+Ids?)$/;
/** Words that an editor tool takes as its `command`; they are no shell commands. */
const editorCommands: ReadonlySet<string> = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit']);
const modifyingTool =
  /(?:write|edit|patch|create|replace|insert|delete|remove|rename|move|save|overwrite|append)/i;
/** Under this name some session formats keep a rendering of the call for people instead of its arguments. */
const displayKey = 'display';
/** Programs that are called through a shell, so that the shell is no part of the command. */
const shellWrapper = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c (?:(["'])([\s\S]*)\1$)?/u;
const deepest = 4;

/** Takes the facts from a call's arguments. Arguments that are no JSON have none. */
export function factsOfCall({ function: called }: ToolCall): CallFacts {
  const facts = { modified: new Set<string>(), read: new Set<string>() };
  const commands = new Set<string>();
  const identifiers = new Set<string>();
  const root = parseShallow(called.arguments)?.value;
  const editor: unknown =
    typeof root === 'object' && root !== null ? Reflect.get(root, 'command') : undefined;
  const isEditor = typeof editor === 'string' && editorCommands.has(editor);
  const modifies = isEditor ? editor !== 'view' : modifyingTool.test(called.name);

  const visit = (key: string, value: unknown, depth: number): void => {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      const touched = modifies ? facts.modified : facts.read;
      const path = fileKey.test(key) ? pathOfArgument(value.replace(/^file:\/\//u, '')) : undefined;
      if (path !== undefined) add(touched, path);
      else if (commandKey.test(key) && !isEditor) addCommand(value);
      else if (identifierKey.test(key)) add(identifiers, value);
      else if (key === displayKey) addAll(touched, pathsInCommand(value));
      else addAll(touched, [pathOfText(value)]);
      addAll(facts.modified, pathsInPatch(value));
    } else if (Array.isArray(value)) {
      const isWords = commandKey.test(key) && value.every((word) => typeof word === 'string');
      // `command: ["git", "status"]` is one command, `commands: ["ls", "pwd"]` are two.
      if (isWords && !/s$/i.test(key)) addCommand(value.join(' '));
      else for (const entry of value) visit(key, entry, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, entry] of Object.entries(value)) visit(name, entry, depth + 1);
    }
  };
  const addCommand = (text: string): void => {
    const command = text.replace(shellWrapper, '$2');
    add(commands, command);
    addAll(facts.read, pathsInCommand(command));
  };
  visit('', root, 0);
  return {
    filesModified: [...facts.modified],
    filesRead: [...facts.read].filter((path) => !facts.modified.has(path)),
    commands: [...commands],
    identifiers: [...identifiers],
  };
}

function add(facts: Set<string>, text: string): void {
  const fact = factText(text);
  if (fact !== '') facts.add(fact);
}

function addAll(facts: Set<string>, texts: readonly (string | undefined)[]): void {
  for (const text of texts) if (text !== undefined) add(facts, text);
}

/** Names of arguments that hold what was run or where, which is what is looked for later. */
export function isFactKey(key: string): boolean {
  return fileKey.test(key) || commandKey.test(key) || identifierKey.test(key);
}
