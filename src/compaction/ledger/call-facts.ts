import type { ToolCall } from '../message.ts';
import { factText } from './fact-text.ts';

/** What the arguments of one call name. */
export interface CallFacts {
  readonly filesModified: readonly string[];
  readonly filesRead: readonly string[];
  readonly commands: readonly string[];
  readonly identifiers: readonly string[];
}

/** Argument names under which the tools of common agents take a path, a command, a thing to look for. */
const fileKey =
  /^(?:path|paths|file|files|filename|file_?name|(?:target_|absolute_|notebook_)?(?:file_?)?path|target_file)$/i;
const commandKey = /^(?:command|commands|cmd|script|input_command)$/i;
const identifierKey = /^(?:pattern|query|queries|symbol|identifier|regex|search_?term|.+_ids?|.+Ids?)$/;
/** Words that an editor tool takes as its `command`; they are no shell commands. */
const editorCommands: ReadonlySet<string> = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit']);
const modifyingTool =
  /(?:write|edit|patch|create|replace|insert|delete|remove|rename|move|save|overwrite|append)/i;
const patchedFile = /^\*\*\* (?:Update|Add|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gmu;
const diffedFile = /^\+\+\+ b\/(\S+)$/gmu;
/** A word that has a directory or an ending like a file's. */
const pathLike =
  /(?:^|[\s"'`=(:,[])((?:~|\.{1,2}|[\w@.+-]+)?(?:\/[\w@.+-]+)+\/?|[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7})(?=$|[\s"'`),:;\]|>])/gmu;
/** Programs that are called through a shell, so that the shell is no part of the command. */
const shellWrapper = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c /;
const deepest = 4;
/** Of a longer argument, a file's whole content say, only this much is searched for paths, in characters. */
const searchedCharacters = 4_000;

/** Takes the facts from a call's arguments. Arguments that are no JSON have none. */
export function factsOfCall({ function: called }: ToolCall): CallFacts {
  const facts = { modified: new Set<string>(), read: new Set<string>() };
  const commands = new Set<string>();
  const identifiers = new Set<string>();
  const root = parse(called.arguments);
  const editor: unknown =
    typeof root === 'object' && root !== null ? Reflect.get(root, 'command') : undefined;
  const isEditor = typeof editor === 'string' && editorCommands.has(editor);
  const modifies = isEditor ? editor !== 'view' : modifyingTool.test(called.name);

  const visit = (key: string, value: unknown, depth: number): void => {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      if (fileKey.test(key)) add(modifies ? facts.modified : facts.read, value);
      else if (commandKey.test(key) && !isEditor) addCommand(value);
      else if (identifierKey.test(key)) add(identifiers, value);
      else addPaths(value, facts.read);
      for (const path of patchedFiles(value)) add(facts.modified, path);
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
    const command = text.replace(shellWrapper, '');
    add(commands, command);
    addPaths(command, facts.read);
  };
  visit('', root, 0);
  return {
    filesModified: [...facts.modified],
    filesRead: [...facts.read].filter((path) => !facts.modified.has(path)),
    commands: [...commands],
    identifiers: [...identifiers],
  };
}

function addPaths(text: string, paths: Set<string>): void {
  for (const [, path] of text.slice(0, searchedCharacters).matchAll(pathLike)) {
    if (path !== undefined && !/^\d+(?:\.\d+)*$/.test(path)) add(paths, path);
  }
}

function patchedFiles(text: string): readonly string[] {
  if (!text.includes('*** ') && !text.includes('+++ b/')) return [];
  const patched = [...text.matchAll(patchedFile)].map(([, path, moved]) => path ?? moved ?? '');
  return [...patched, ...[...text.matchAll(diffedFile)].map(([, path]) => path ?? '')];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function add(facts: Set<string>, text: string): void {
  const fact = factText(text);
  if (fact !== '') facts.add(fact);
}

/** Names of arguments that hold what was run or where, which is what is looked for later. */
export function isFactKey(key: string): boolean {
  return fileKey.test(key) || commandKey.test(key) || identifierKey.test(key);
}
