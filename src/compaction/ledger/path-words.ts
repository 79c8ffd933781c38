import { wholePath } from '../text/file-names.ts';
import { withoutPlace } from '../text/clip.ts';

/**
 * Texts that are paths of files. Words with a dot or a slash are common in code and prose (`os.Args`, `MB/s`,
 * `feature/login`). A path therefore has to be a tool's path argument, or a word of a command line with a file
 * extension.
 */

/** File extensions that developers work with. */
const extension =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|json[lc5]?|mdx?|rst|adoc|pyi?|ipynb|go|mod|sum|rs|java|kts?|scala|swift|mm?|[ch]|cc|cpp|cxx|hh|hpp|cs|fs|vb|rb|erb|php|pony|lua|pl|pm|r|jl|ex|exs|erl|hs|ml|clj|dart|zig|nim|sol|sh|bash|zsh|fish|ps1|bat|cmd|ya?ml|toml|lock|ini|cfg|conf|properties|env|gradle|cmake|mk|txt|text|log|csv|tsv|html?|s?css|less|sass|svg|png|jpe?g|gif|webp|ico|pdf|xml|xsd|sql|db|sqlite|proto|graphql|gql|tf|hcl|patch|diff|snap|tmpl|tpl|zip|tar|gz|tgz|wasm|map)$/iu;
/** Files that are known by their whole name. */
const knownName =
  /^(?:Makefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|CMakeLists\.txt|LICENSE|README|CHANGELOG|CODEOWNERS|\.(?:gitignore|gitattributes|dockerignore|npmrc|nvmrc|editorconfig|eslintrc|prettierrc|bashrc|zshrc|env(?:\.\w+)?))$/u;
const pathCharacters = /^[~\w@.+/\\:[\]()$#%-]+$/u;
/** A shell variable, whose value is unknown. */
const isOfVariable = /\$(?!(?:\{?(?:HOME|PWD)\}?|\(pwd\))\/)[\w{(]/u;
/** Maximum length of a path, in UTF-16 units. */
const longestPath = 400;

/**
 * Returns the file in a tool's path argument, as written but without a position. Undefined for a folder, a
 * pattern, and a file of a revision or of another computer.
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

/** True for `HEAD:x.ts`, `host:/x.ts` and URLs, in which the part before the colon is not a drive. */
function isElsewhere(path: string): boolean {
  return path.replace(/^(?:[\\/]{2}\?[\\/])?[A-Za-z]:(?=[\\/])/u, '').includes(':');
}

/** Returns the text of an argument if it is a path; otherwise undefined. */
export function pathOfText(text: string): string | undefined {
  return text.length <= longestPath && /[/\\]/u.test(text) && isFile(text) ? text : undefined;
}

/** A use of a file. `written`: created, or changed if it existed. */
export type Deed = 'read' | 'edited' | 'written' | 'created' | 'deleted';

/** A file that a call names, and its use. */
export interface TouchedFile {
  readonly path: string;
  readonly what: Deed;
  /** True if the call does not show that the file exists, or that more than a few of its lines were read. */
  readonly isNamed?: boolean;
}

/** Minimum number of lines that count as reading a file. */
const fewestLines = 100;

/** True if this number of lines counts as reading a file. */
export function enoughLines(lines: number): boolean {
  return lines >= fewestLines;
}

const envelope = /^\*\*\* (Update|Add|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gmu;
const diffHeads = /^--- (?:a\/)?(\S+)(?:[ \t][^\n]*)?\n\+\+\+ (?:b\/)?(\S+)/gmu;

/** Finds the files in the headers of a patch, and their use. */
export function filesInPatch(text: string): readonly TouchedFile[] {
  const found = text.includes('*** ') ? filesInEnvelope(text) : [];
  return (found.length > 0 ? found : filesInDiff(text)).filter(({ path }) => path.length <= longestPath);
}

function filesInEnvelope(text: string): readonly TouchedFile[] {
  const found: TouchedFile[] = [];
  for (const [, word, named, moved] of text.matchAll(envelope)) {
    const before = found.at(-1);
    if (named !== undefined) {
      const what = word === 'Add' ? 'created' : word === 'Delete' ? 'deleted' : 'edited';
      found.push({ path: named.trim(), what });
    } else if (moved !== undefined && before !== undefined) {
      found.splice(-1, 1, { ...before, what: 'deleted' }, { path: moved.trim(), what: 'written' });
    }
  }
  return found;
}

function filesInDiff(text: string): readonly TouchedFile[] {
  return [...text.matchAll(diffHeads)].map(([, before = '', after = '']): TouchedFile => {
    if (after === '/dev/null') return { path: before, what: 'deleted' };
    return { path: after, what: before === '/dev/null' ? 'created' : 'edited' };
  });
}

/** Returns the file that a word of a command line names: `src/x.ts:12:` names `src/x.ts`. */
export function fileOf(word: string): string | undefined {
  const path = withoutPlace(word);
  return isFile(path) ? path : undefined;
}

/** True for a word of a command line that names a file. */
export function isFile(path: string): boolean {
  if (path.length > longestPath || path.startsWith('-') || !pathCharacters.test(path)) return false;
  return !path.startsWith('//') && !isElsewhere(path) && !isOfVariable.test(path) && hasFileName(path);
}

/** True for a file name with an extension common in development. */
export function hasFileName(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  if (knownName.test(name)) return true;
  // A bare `.ts` is an extension and not a file.
  return extension.test(name) && !/^\.\w+$/u.test(name);
}

/** Temporary folders, folders of installed packages, and folders in which agents keep their own files. */
const throwAway =
  /^(?:(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)(?:\/|$)|\$\(mktemp\b|\$\{?(?:S|TMP|TMPDIR|TEMP|SCRATCH|SCRATCHPAD)\}?(?:\/|$))|(?:^|\/)(?:scratchpad|node_modules|site-packages|dist-packages|\.venv|go\/pkg\/mod|\.cargo\/registry|Library\/Caches|\.(?:claude|codex|gemini)\/(?:projects|sessions|tmp|plans|todos|memory|memories|file-history|shell-snapshots))(?:\/|$)/u;

/** True for a path outside the project's own work. */
export function isThrowAway(path: string): boolean {
  return throwAway.test(path);
}

/** Hidden folders in the home folder, and folders of installed programs. */
const notOurs =
  /^(?:(?:~|\/(?:home|Users)\/[^/]+|\/root|[A-Z]:\/Users\/[^/]+)\/\.|\/(?:usr|opt|nix|Applications|Library)\/)/u;

/** True for a file of an installed program or of the agent itself. Reading it is not a fact of the project. */
export function isForeign(path: string): boolean {
  return isThrowAway(path) || notOurs.test(path);
}
