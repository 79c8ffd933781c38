import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { readIndex } from '../approvals/git-index.ts';
import { isOrdinaryFile } from '../edits/sensitive-path.ts';
import { isInside } from '../files/workspace.ts';
import { gitFolderOf } from './git-folder.ts';
import { gitReference, isOrdinaryContent } from './ordinary-content.ts';
import type { WorkspaceChange } from './workspace-changes.ts';

/** Treatment of a change: `keep` it, `ask` the user, or `drop` it. Only changes of caches are dropped. */
export type Disposition = 'keep' | 'ask' | 'drop';

/** Output folders of builds, tests and servers. Repositories do not track their files. */
const outputFolders = new Set(
  (
    '.benchmarks .next .nuxt .output .svelte-kit _build build coverage dist htmlcov out playwright-report storybook-static target ' +
    'test-results'
  ).split(' '),
);
/** Extensions of build output: programs and their parts, pages, data. */
const outputKinds = new Set(
  (
    'a avif beam bin bmp br cjs class css csv d dart dll dylib ear eot exe gif gz html ico ilk info jar jpeg jpg js json lcov ' +
    'lib log map md mjs mp3 mp4 node o obj otf pdb pdf png rlib rmeta rsc so svg tar tgz timestamp ts tsbuildinfo tsv ' +
    'ttf txt wasm wav war webm webp whl woff woff2 xml zip zst'
  ).split(' '),
);
/** Hidden files that compilers write for their own use. */
const outputRecord =
  /^\.(?:cargo-(?:artifact-|build-)?lock|fingerprint|last_build_id|nojekyll|rustc_info\.json)$/;
/** Names of compiled programs without extension. Names in Git's folder are excluded, as they could become hooks. */
const compiledName =
  /^(?!(?:head|config|objects|refs)$|(?:applypatch|commit|fsmonitor|p4|post|pre|prepare|proc|push|reference|sendemail)-)[a-z0-9_][a-z0-9_-]*$/;
const plainFolder = /^(?!node_modules$|refs$)[\p{L}\p{N}_@()[\]$+][\p{L}\p{M}\p{N}_@()[\]$+. -]*$/u;

/** Cache folders. Programs run the content of caches unchecked, and create missing content again. */
const cacheFolders = new Set(
  (
    '.angular .cache .eslintcache .gradle .mypy_cache .nyc_output .parcel-cache .pytest_cache .ruff_cache .tox .turbo ' +
    '.vite .vite-temp .vitest .vitest-cache .webpack __pycache__'
  ).split(' '),
);

const dataKinds = new Set(
  (
    'avif bmp csv diff eot gif ico jpeg jpg lcov log map mp3 mp4 orig otf out patch pdf png rej snap tgz tsbuildinfo tsv ttf ' +
    'wav webm webp woff woff2'
  ).split(' '),
);

/** Names of records that Git writes during commits, fetches and switches, and never runs. */
const gitRecord = new RegExp(
  `^(?:(?:logs/)?${gitReference}|${[
    String.raw`HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_(?:HEAD|MSG|MODE)|AUTO_MERGE|CHERRY_PICK_HEAD|REVERT_HEAD|COMMIT_EDITMSG`,
    String.raw`index|info/refs|sharedindex\.[0-9a-f]+|packed-refs|shallow|gc\.log|description`,
    String.raw`(?:logs/)?refs|logs/HEAD|logs`,
    String.raw`objects|objects/(?:[0-9a-f]{2}(?:/[0-9a-f]+)?|pack|pack/(?:pack|multi-pack-index)[^/]*)`,
    String.raw`objects/info(?:/(?:packs|commit-graph|commit-graphs(?:/[^/]+)?))?`,
  ].join('|')})$`,
);

/** Decides which changes need no approval. Any other change could make a program run outside the sandbox. */
export class OrdinaryChanges {
  private readonly guarded: readonly string[];
  private readonly tracked = new Map<string, (place: string) => boolean>();
  /** Repositories that lost a required file. The user is asked about each change in them. */
  private readonly without: ReadonlySet<string>;
  /** Repositories with a new pack. Git may remove loose objects in them, because the pack contains the objects. */
  private readonly packed: ReadonlySet<string>;

  /** @param changes all changes of one command @param guarded absolute paths of code that the extension loads */
  constructor(changes: readonly WorkspaceChange[], guarded: readonly string[]) {
    this.guarded = guarded;
    const removed = changes.filter(({ kind }) => kind === 'removed');
    const written = changes.filter(({ kind }) => kind === 'file');
    this.without = repositoriesWith(removed, /\/(?:HEAD|objects|refs|index)$/);
    this.packed = repositoriesWith(written, /\/objects\/pack\/[^/]+\.pack$/);
  }

  dispositionOf(change: WorkspaceChange): Disposition {
    const disposition = this.byName(change);
    return disposition === 'keep' && change.kind === 'file' && !isOrdinaryContent(change)
      ? 'ask'
      : disposition;
  }

  private byName(change: WorkspaceChange): Disposition {
    const place = path.join(change.root, change.path);
    if (this.guarded.some((each) => isInside(place, each))) return 'ask';
    const names = change.path.split('/');
    const isRemoved = change.kind === 'removed';
    if (names.some((name) => cacheFolders.has(name))) return isRemoved ? 'keep' : 'drop';
    if (change.kind === 'touched') return 'keep';
    if (names.some((name) => name.toLowerCase() === '.git')) return this.isGitRecord(change) ? 'keep' : 'ask';
    if (change.kind === 'link' || change.kind === 'unusable') return 'ask';
    if (isOfCargo(change.root, names))
      return change.kind === 'folder' && names.at(-1) === 'target' ? 'keep' : 'ask';
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
      !this.isTracked(path.join(root, at))
    );
  }

  /** True if the repository around a file tracks it or may track it. */
  private isTracked(place: string): boolean {
    return this.trackedAround(path.dirname(place))(place);
  }

  private trackedAround(folder: string): (place: string) => boolean {
    const known = this.tracked.get(folder) ?? trackedBy(folder) ?? this.trackedAround(path.dirname(folder));
    this.tracked.set(folder, known);
    return known;
  }

  private isGitRecord({ root, path: at, kind, before }: WorkspaceChange): boolean {
    const [, folder, inside] = /^((?:.*\/)?\.git(?:\/modules\/[^/]+)*)\/(.+)$/.exec(at) ?? [];
    if (folder === undefined || inside === undefined || kind === 'link' || kind === 'unusable') return false;
    if (!gitRecord.test(inside) && !(kind === 'removed' && /^[A-Za-z_]+\.lock$/.test(inside))) return false;
    if (!isRepository(path.join(root, folder))) return false;
    if (this.without.has(path.join(root, folder))) return false;
    if (!inside.startsWith('objects/')) return true;
    if (kind === 'removed') return this.packed.has(path.join(root, folder));
    // Git does not check that an object matches its name, and never changes an existing object.
    return before === undefined || !/^objects\/(?:[0-9a-f]{2}|pack)\/(?:pack-)?[0-9a-f]+/.test(inside);
  }
}

/** Finds repositories by changed files in them. @param rest end of a file's path, after the repository's folder */
function repositoriesWith(changes: readonly WorkspaceChange[], rest: RegExp): ReadonlySet<string> {
  const places = changes.map((change) => path.join(change.root, change.path));
  return new Set(places.flatMap((place) => (rest.test(place) ? [place.replace(rest, '')] : [])));
}

function isOutputName(name: string): boolean {
  if (outputRecord.test(name) || compiledName.test(name)) return true;
  const dot = name.lastIndexOf('.');
  // Agents read documents below their working folder, and programs read their settings.
  if (/\.md$/i.test(name)) return isOrdinaryFile(`docs/${name}`);
  return (
    dot > 0 &&
    name !== 'package.json' &&
    outputKinds.has(name.slice(dot + 1).toLowerCase()) &&
    // Programs load `x.config.js`, while `x-config.js` is build output.
    isOrdinaryFile(`src/${name.slice(0, dot).replaceAll('-', '')}.ts`)
  );
}

function isOrdinaryText(at: string): boolean {
  if (isOrdinaryFile(at)) return true;
  const dot = at.lastIndexOf('.');
  const kind = at.slice(dot + 1).toLowerCase();
  if (dataKinds.has(kind)) return isOrdinaryFile(`${at.slice(0, dot)}.ts`);
  // Text in the top folder may be the output of a command or may steer an agent, so only the name decides.
  return kind === 'txt' && !at.includes('/') && isOrdinaryFile(`docs/${at}`);
}

/** Returns a test for tracked paths: all if the index is unreadable, none without one. Undefined if no `.git`. */
function trackedBy(folder: string): ((place: string) => boolean) | undefined {
  const entry = path.join(folder, '.git');
  if (!existsSync(entry)) return folder === path.dirname(folder) ? () => false : undefined;
  const kept = gitFolderOf(entry);
  if (kept !== undefined && !existsSync(path.join(kept, 'index'))) return () => false;
  const index = kept === undefined ? undefined : readIndex(path.join(kept, 'index'));
  if (index === undefined) return () => true;
  const files = new Set(index.files);
  return (place) => files.has(path.relative(folder, place));
}

/** True for Cargo's build output, from which language servers load macros and run build programs. */
function isOfCargo(root: string, names: readonly string[]): boolean {
  const first = names.indexOf('target');
  return first >= 0 && existsSync(path.join(root, ...names.slice(0, first), 'Cargo.toml'));
}

function isRepository(folder: string): boolean {
  return ['HEAD', 'config', 'objects'].every(
    (name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === false,
  );
}
