import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { readIndex } from '../approvals/git-index.ts';
import { isOrdinaryFile } from '../edits/sensitive-path.ts';
import { isInside } from '../files/workspace.ts';
import { gitFolderOf } from './git-folder.ts';
import type { WorkspaceChange } from './workspace-changes.ts';

/**
 * The treatment of a change: `keep` it; `ask` the user first; `drop` it, as it is a cache that programs make again, and
 * run without a look.
 */
export type Disposition = 'keep' | 'ask' | 'drop';

/** Folders of what builds, tests and servers produce. They hold nothing that a repository tracks. */
const outputFolders = new Set(
  (
    '.next .nuxt .output .svelte-kit _build build coverage dist htmlcov out playwright-report storybook-static target ' +
    'test-results'
  ).split(' '),
);
/** Kinds of files in them: programs and what they are made of, pages, data. */
const outputKinds = new Set(
  (
    'a avif bin bmp br cjs class css csv d dart dll dylib ear eot exe gif gz html ico ilk info jar jpeg jpg js json lcov ' +
    'lib log map md mjs mp3 mp4 node o obj otf pdb pdf png rlib rmeta rsc so svg tar tgz timestamp ts tsbuildinfo tsv ' +
    'ttf txt wasm wav war webm webp whl woff woff2 xml zip zst'
  ).split(' '),
);
/** Names with a dot in front that compilers give their own records. */
const outputRecord =
  /^\.(?:cargo-(?:artifact-|build-)?lock|fingerprint|last_build_id|nojekyll|rustc_info\.json)$/;
/** Names of compiled programs, which have no extension. A name of Git's would make the folder a repository. */
const compiledName = /^(?!head$|config$|objects$|refs$)[a-z0-9_][a-z0-9_-]*$/;
const plainFolder =
  /^(?!node_modules$|objects$|refs$|hooks$)[\p{L}\p{N}_@()[\]$+][\p{L}\p{M}\p{N}_@()[\]$+. -]*$/u;

/** Folders of caches. A program runs what is in them without a look, and makes them again where they are missing. */
const cacheFolders = new Set(
  (
    '.angular .cache .eslintcache .gradle .mypy_cache .nyc_output .parcel-cache .pytest_cache .ruff_cache .tox .turbo ' +
    '.vite .vite-temp .vitest .webpack __pycache__'
  ).split(' '),
);

/** Data that nothing runs, wherever it is. */
const dataKinds = new Set(
  (
    'avif bmp csv diff eot gif ico jpeg jpg lcov log map mp3 mp4 orig otf out patch pdf png rej snap tsbuildinfo tsv ttf ' +
    'wav webm webp woff woff2'
  ).split(' '),
);

/** Names of records that Git writes when it commits, fetches or switches, and from which it runs nothing. */
const gitRecord = new RegExp(
  `^(?:${[
    String.raw`HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_(?:HEAD|MSG|MODE)|AUTO_MERGE|CHERRY_PICK_HEAD|REVERT_HEAD|COMMIT_EDITMSG`,
    String.raw`index|info/refs|sharedindex\.[0-9a-f]+|packed-refs|shallow|gc\.log|description`,
    String.raw`(?:logs/)?refs(?:/[^/]+)*|logs/HEAD|logs`,
    String.raw`objects|objects/(?:[0-9a-f]{2}(?:/[0-9a-f]+)?|pack|pack/(?:pack|multi-pack-index)[^/]*)`,
    String.raw`objects/info(?:/(?:packs|commit-graph|commit-graphs(?:/[^/]+)?))?`,
  ].join('|')})$`,
);

/**
 * Decides which changes of a sandboxed command may stay without a question: source text, documents, data, what builds
 * produce, and what Git records. Everything else may make a program run outside of the sandbox by itself.
 */
export class OrdinaryChanges {
  private readonly guarded: readonly string[];
  private readonly tracked = new Map<string, (at: string) => boolean>();
  /** Repositories that lose their `HEAD`. Without it they are none, so nothing else of them goes without a question. */
  private readonly without: ReadonlySet<string>;
  /** Repositories with a new pack. Loose objects go when Git packs them; without a pack, the history goes with them. */
  private readonly packed: ReadonlySet<string>;

  /**
   * @param changes of one command: some are only ordinary together with others
   * @param guarded absolute paths from which the extension itself loads code, including everything below them
   */
  constructor(changes: readonly WorkspaceChange[], guarded: readonly string[]) {
    this.guarded = guarded;
    const removed = changes.filter(({ kind }) => kind === 'removed');
    const written = changes.filter(({ kind }) => kind === 'file');
    this.without = repositoriesWith(removed, /\/HEAD$/);
    this.packed = repositoriesWith(written, /\/objects\/pack\/[^/]+\.pack$/);
  }

  dispositionOf(change: WorkspaceChange): Disposition {
    const place = path.join(change.root, change.path);
    if (this.guarded.some((each) => isInside(place, each))) return 'ask';
    const names = change.path.split('/');
    const isRemoved = change.kind === 'removed';
    if (names.some((name) => cacheFolders.has(name))) return isRemoved ? 'keep' : 'drop';
    if (change.kind === 'touched') return 'keep';
    if (names.some((name) => name.toLowerCase() === '.git')) return this.isGitRecord(change) ? 'keep' : 'ask';
    if (change.kind === 'link' || change.kind === 'unusable') return 'ask';
    if (this.isOutput(change, names)) return 'keep';
    if (change.kind === 'folder' || change.before?.isDirectory() === true) {
      return isOrdinaryFile(`${change.path}/x.ts`) ? 'keep' : 'ask';
    }
    const isProgram = ((change.mode | (change.before?.mode ?? 0)) & 0o111) !== 0 && !isRemoved;
    return isOrdinaryText(change.path) && !isProgram ? 'keep' : 'ask';
  }

  private isOutput({ root, path: at, kind, before }: WorkspaceChange, names: readonly string[]): boolean {
    const first = names.findIndex((name) => outputFolders.has(name));
    if (first < 0 || !isOrdinaryFile([...names.slice(0, first), 'x.ts'].join('/'))) return false;
    const below = names.slice(first + 1);
    const isFolder = kind === 'folder' || before?.isDirectory() === true;
    const folders = isFolder ? below : below.slice(0, -1);
    const name = isFolder ? undefined : below.at(-1);
    return (
      folders.every((each) => plainFolder.test(each) || outputRecord.test(each)) &&
      (isFolder || (name !== undefined && isOutputName(name))) &&
      !this.isTracked(root, at)
    );
  }

  private isTracked(root: string, at: string): boolean {
    const known = this.tracked.get(root) ?? trackedBy(root);
    this.tracked.set(root, known);
    return known(at);
  }

  private isGitRecord({ root, path: at, kind }: WorkspaceChange): boolean {
    const [, folder, inside] = /^((?:.*\/)?\.git(?:\/modules\/[^/]+)*)\/(.+)$/.exec(at) ?? [];
    if (folder === undefined || inside === undefined || kind === 'link' || kind === 'unusable') return false;
    if (!gitRecord.test(inside) && !(kind === 'removed' && /^[A-Za-z_]+\.lock$/.test(inside))) return false;
    if (!isRepository(path.join(root, folder))) return false;
    if (this.without.has(path.join(root, folder))) return false;
    return kind !== 'removed' || !inside.startsWith('objects') || this.packed.has(path.join(root, folder));
  }
}

/** Repositories among changed files, by what is behind their folder in the path of a change. */
function repositoriesWith(changes: readonly WorkspaceChange[], rest: RegExp): ReadonlySet<string> {
  const places = changes.map((change) => path.join(change.root, change.path));
  return new Set(places.flatMap((place) => (rest.test(place) ? [place.replace(rest, '')] : [])));
}

function isOutputName(name: string): boolean {
  if (outputRecord.test(name) || compiledName.test(name)) return true;
  const dot = name.lastIndexOf('.');
  return (
    dot > 0 &&
    outputKinds.has(name.slice(dot + 1).toLowerCase()) &&
    isOrdinaryFile(`src/${name.slice(0, dot)}.ts`)
  );
}

/** Source text, a document or data. */
function isOrdinaryText(at: string): boolean {
  if (isOrdinaryFile(at)) return true;
  const dot = at.lastIndexOf('.');
  const kind = at.slice(dot + 1).toLowerCase();
  if (dataKinds.has(kind)) return isOrdinaryFile(`${at.slice(0, dot)}.ts`);
  // At the top, text may steer an agent. Commands write their output there, so its name alone decides.
  return kind === 'txt' && !at.includes('/') && isOrdinaryFile(`docs/${at}`);
}

/** Finds out what a repository tracks: everything if its index cannot be read, nothing where there is no index. */
function trackedBy(root: string): (at: string) => boolean {
  const folder = gitFolderOf(path.join(root, '.git'));
  const file = folder === undefined ? undefined : path.join(folder, 'index');
  if (file === undefined || !existsSync(file)) return () => false;
  const index = readIndex(file);
  if (index === undefined) return () => true;
  const files = new Set(index.files);
  return (at) =>
    files.has(at) ||
    index.submodules.some((folder) => isInside(path.join(root, at), path.join(root, folder)));
}

/** True if the workspace already has a repository there. */
function isRepository(folder: string): boolean {
  return ['HEAD', 'config', 'objects'].every(
    (name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === false,
  );
}
