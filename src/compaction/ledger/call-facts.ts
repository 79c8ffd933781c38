import { wholePath } from '../text/file-names.ts';
import { calledFunction } from './called-function.ts';
import { isLookup } from './lookups.ts';
import type { ToolCall } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { headOf, withoutPlace } from '../text/clip.ts';
import { parseShallow } from '../text/parse-json.ts';
import { isRecord } from '../../language/is-record.ts';

/** Facts that the arguments of one call name. */
interface CallFacts {
  readonly filesModified: readonly string[];
  readonly filesRead: readonly string[];
  readonly commands: readonly string[];
  /** The same as they were written, with their line feeds. */
  readonly scripts: readonly string[];
  /** Names in code, and ids of records. */
  readonly identifiers: readonly string[];
  /** Texts that the call looks for, as they were written: words, expressions, questions. */
  readonly searched: readonly string[];
}

/** Argument names under which the tools of common agents take a path, a command, a thing to look for. */
const fileKey =
  /^(?:paths?|files?|file_?names?|file_?paths?|(?:target|absolute|notebook|relative|old|new|source|destination|src|dest)_?(?:file|path|file_?path)|(?:target|absolute|relative|notebook)_?files?|uri)$/i;
const commandKey = /^(?:command|commands|cmd|script|input_command)$/i;
const searchKey = /^(?:pattern|query|queries|symbol|identifier|regex|search_?term)$/;
const idKey = /^(?:.+_ids?|.+Ids?)$/;
/** Words that an editor tool takes as its `command`; they are no shell commands. */
const editorCommands: ReadonlySet<string> = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit']);
const modifyingTool =
  /(?:write|edit|patch|create|replace|insert|delete|remove|rename|move|save|overwrite|append)/i;
/** Tools that search folders: their path is a file only if its name looks like one. */
const searchingTool = /(?:grep|glob|search|find|list|tree)|^(?:ls|rg|dir)$|_(?:ls|rg|dir)$/i;
/** Under this name some session formats keep a rendering of the call for people instead of its arguments. */
const displayKey = 'display';
/** Programs that are called through a shell, so that the shell is not part of the command. */
const shellWrapper = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c (?:(["'])([\s\S]*)\1$)?/u;
const deepest = 4;

/** Facts of a call that leaves none. */
export const noFacts: CallFacts = {
  filesModified: [],
  filesRead: [],
  commands: [],
  scripts: [],
  identifiers: [],
  searched: [],
};

/** The facts in a call's arguments, read once for each call. Arguments that are no JSON have none. */
export const factsOfCall = remembered((call: ToolCall): CallFacts => {
  const called = calledFunction(call.function);
  if (isLookup(called.name)) return noFacts;
  const facts = { modified: new Set<string>(), read: new Set<string>() };
  const commands = new Set<string>();
  const scripts = new Set<string>();
  const identifiers = new Set<string>();
  const searched = new Set<string>();
  const root = parseShallow(called.arguments)?.value;
  const editor = isRecord(root) ? root['command'] : undefined;
  const isEditor = typeof editor === 'string' && editorCommands.has(editor);
  const modifies = isEditor ? editor !== 'view' : modifyingTool.test(called.name);
  const isSearch = !modifies && !isEditor && searchingTool.test(called.name);

  const visit = (key: string, value: unknown, depth: number): void => {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      const touched = modifies ? facts.modified : facts.read;
      const path = fileKey.test(key) ? pathOfArgument(value, isSearch) : undefined;
      if (path !== undefined) add(touched, path);
      else if (commandKey.test(key) && !isEditor) addCommand(value);
      else if (idKey.test(key)) add(identifiers, value);
      else if (searchKey.test(key)) {
        add(searched, value);
        addAll(identifiers, namesSearched(value));
      } else if (key === displayKey) addAll(touched, pathsInCommand(value));
      else addAll(touched, [pathOfText(value)]);
      addAll(facts.modified, pathsInPatch(value));
    } else if (Array.isArray(value)) {
      const isWords = commandKey.test(key) && value.every((word) => typeof word === 'string');
      // `command: ["git", "status"]` is one command, `commands: ["ls", "pwd"]` are two.
      if (isWords && !/s$/i.test(key)) addCommand(value.join(' '));
      else for (const entry of value) visit(key, entry, depth + 1);
    } else if (isRecord(value)) {
      for (const [name, entry] of Object.entries(value)) visit(name, entry, depth + 1);
    }
  };
  const addCommand = (text: string): void => {
    const command = text.replace(shellWrapper, '$2');
    add(commands, command);
    scripts.add(command);
    addAll(facts.read, pathsInCommand(command));
  };
  visit('', root, 0);
  return {
    filesModified: [...facts.modified],
    filesRead: [...facts.read].filter((path) => !facts.modified.has(path)),
    commands: [...commands],
    scripts: [...scripts],
    identifiers: [...identifiers],
    searched: [...searched],
  };
});

/** One word, or words that a language joins to a name: `store.open`, `Store::open`. */
const plainName = /^[\p{L}\p{N}_$]+(?:(?:[.#-]|::)[\p{L}\p{N}_$]+)*$/u;
/** The `b` of a `\b` in an expression is no letter of the name after it; a `\.` is a dot. */
const expressionClass = /\\[a-zA-Z]/gu;
const escapedSign = /\\(?=[^a-zA-Z])/gu;
const wordInCode = /[A-Za-z_$][\w$]+(?:(?:\.|::)[A-Za-z_$][\w$]+)*/gu;
/** `snake_case`, `camelCase`, `PascalCase` of two words or more, and names with others around them. */
const nameInCode = /[a-zA-Z\d]_[a-zA-Z\d]|[a-z\d][A-Z]|\.|::/u;

/**
 * Names that a search is about. A search for one word is a search for that name; of an expression, or of several words,
 * what is written as names in code are. No text names an expression as it was written, so that one would always be
 * missing.
 */
export function namesSearched(text: string): readonly string[] {
  if (plainName.test(text)) return [text];
  const words = text.replaceAll(expressionClass, ' ').replaceAll(escapedSign, '').match(wordInCode) ?? [];
  return words.filter((word) => nameInCode.test(word) && !isFile(word));
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
  return fileKey.test(key) || commandKey.test(key) || searchKey.test(key) || idKey.test(key);
}

/**
 * Texts that are paths of files. Words with a dot or a slash are everywhere in code and prose (`os.Args`, `MB/s`,
 * `feature/login`), so a path has to be a tool's path argument, or a word of a command line with the ending of a file.
 */

/** Endings of files that developers work with. */
const extension =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|json[lc5]?|mdx?|rst|adoc|pyi?|ipynb|go|mod|sum|rs|java|kts?|scala|swift|mm?|[ch]|cc|cpp|cxx|hh|hpp|cs|fs|vb|rb|erb|php|pony|lua|pl|pm|r|jl|ex|exs|erl|hs|ml|clj|dart|zig|nim|sol|sh|bash|zsh|fish|ps1|bat|cmd|ya?ml|toml|lock|ini|cfg|conf|properties|env|gradle|cmake|mk|txt|text|log|csv|tsv|html?|s?css|less|sass|svg|png|jpe?g|gif|webp|ico|pdf|xml|xsd|sql|db|sqlite|proto|graphql|gql|tf|hcl|patch|diff|snap|tmpl|tpl|zip|tar|gz|tgz|wasm|map)$/iu;
/** Files that are known by their whole name. */
const knownName =
  /^(?:Makefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|CMakeLists\.txt|LICENSE|README|CHANGELOG|CODEOWNERS|\.(?:gitignore|gitattributes|dockerignore|npmrc|nvmrc|editorconfig|eslintrc|prettierrc|bashrc|zshrc|env(?:\.\w+)?))$/u;
const pathCharacters = /^[~\w@.+/\\:[\]()$#%-]+$/u;
const shellWord = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s'"`|&;<>()=,]+/gu;
const heredoc = /<<-?\s*(?:'(\w+)'|"(\w+)"|(\w+))/gu;
/** Objects of languages that people run inside a command, whose members look like files: `console.log`. */
const member = /^(?:console|process|window|document|module|exports|import\.meta|math|Math|self|this)\.\w+$/u;
/** A shell variable, whose value is unknown. */
const isOfVariable = /\$(?!(?:\{?(?:HOME|PWD)\}?|\(pwd\))\/)[\w{(]/u;
const patchedFile = /^\*\*\* (?:Update|Add|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gmu;
const diffedFile = /^\+\+\+ b\/(\S+)$/gmu;
/** Longest path in UTF-16 units. */
const longestPath = 400;
/** Of a longer command line only this much is searched, in UTF-16 units. */
const searchedCharacters = 4_000;

/**
 * The file in a tool's path argument, as written but without a position; undefined for a folder, a pattern, or a file
 * of a revision or another computer.
 *
 * @param isSearch true if the tool also accepts folders
 */
export function pathOfArgument(text: string, isSearch = false): string | undefined {
  const named = withoutPlace(text.trim());
  const path = /^file:\/\//iu.test(named) ? wholePath(named) : named;
  const isPath =
    path.length <= longestPath &&
    /[\p{L}\p{N}]/u.test(path) &&
    !/[\n*?{}<>|]/u.test(path.replace(/^[\\/]{2}\?[\\/]/u, '')) &&
    !/[/\\]$/u.test(path) &&
    !isElsewhere(path) &&
    !path.startsWith('-') &&
    (!/\s/u.test(path) || /[/\\.]/u.test(path));
  return isPath && (!isSearch || hasFileName(path)) ? path : undefined;
}

/** True for `HEAD:x.ts`, `host:/x.ts` and URLs: the part before the colon is not a drive. */
function isElsewhere(path: string): boolean {
  return path.replace(/^(?:[\\/]{2}\?[\\/])?[A-Za-z]:(?=[\\/])/u, '').includes(':');
}

/** The path that an argument of any name is as a whole; undefined for every other text. */
export function pathOfText(text: string): string | undefined {
  return text.length <= longestPath && /[/\\]/u.test(text) && isFile(text) ? text : undefined;
}

/** The files named in a command line, in order. Text passed to a program's input is not searched. */
export function pathsInCommand(command: string): readonly string[] {
  const searched = withoutHeredocs(command.slice(0, searchedCharacters));
  return [...searched.matchAll(shellWord)].flatMap(([word]) => {
    const quoted = /^["']([\s\S]*)["']$/u.exec(word)?.[1];
    if (quoted === undefined) return fileOf(word) ?? [];
    if (!/\s/u.test(quoted)) return fileOf(quoted) ?? [];
    // A message or a script: only what is written with its folder is a file there.
    return quoted
      .split(/[\s'"`|&;<>()=,]+/u)
      .flatMap((piece) => fileOf(piece) ?? [])
      .filter((path) => path.includes('/'));
  });
}

/** A command line without the texts in it that it feeds to programs: from `<<END` on, to the line with that word. */
function withoutHeredocs(command: string): string {
  const kept: string[] = [];
  let done = 0;
  for (const { 0: opening, 1: single, 2: double, 3: plain, index } of command.matchAll(heredoc)) {
    if (index < done) continue;
    const lineEnd = command.indexOf('\n', index + opening.length);
    if (lineEnd < 0) break;
    kept.push(command.slice(done, index));
    const closing = new RegExp(`\\n[^\\S\\n]*${single ?? double ?? plain ?? ''}\\b`, 'gu');
    closing.lastIndex = lineEnd;
    done = closing.test(command) ? closing.lastIndex : command.length;
  }
  kept.push(command.slice(done));
  return kept.join(' ');
}

/** The files named in the headers of a patch. */
export function pathsInPatch(text: string): readonly string[] {
  if (!text.includes('*** ') && !text.includes('+++ b/')) return [];
  const patched = [...text.matchAll(patchedFile)].map(([, path, moved]) => path ?? moved ?? '');
  const diffed = [...text.matchAll(diffedFile)].map(([, path]) => path ?? '');
  return [...patched, ...diffed].map((path) => path.trim()).filter((path) => path !== '');
}

/** The file that a word of a command line names: `src/x.ts:12:` names `src/x.ts`. */
function fileOf(word: string): string | undefined {
  const path = withoutPlace(word);
  return isFile(path) ? path : undefined;
}

function isFile(path: string): boolean {
  if (path.length > longestPath || path.startsWith('-') || !pathCharacters.test(path)) return false;
  if (path.startsWith('//') || isElsewhere(path) || isOfVariable.test(path) || member.test(path))
    return false;
  return hasFileName(path);
}

/** True for a file name with an extension common in development. */
function hasFileName(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (knownName.test(name)) return true;
  // A bare `.ts` is an ending and no file.
  return extension.test(name) && !/^\.\w+$/u.test(name);
}

/** Longest text, in characters, that is kept as one fact. */
export const longestFact = 400;

/** A fact on one line: white space folded, the end of an overlong text left out. */
export function factText(text: string): string {
  const line = text
    .slice(0, 4 * longestFact)
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length <= longestFact ? line : headOf(line, longestFact).trimEnd();
}
