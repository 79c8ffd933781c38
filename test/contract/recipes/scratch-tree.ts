import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../../scripts/project.ts';
import type { Recipe } from './recipes.ts';

/** Folders and files for types, the manifest, unit tests and pages. */
const copied =
  `CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md examples media docs scripts samples src test
  webview layers.json package.json package-lock.json package.nls.json package.nls.zh-cn.json tsconfig.json
  tsconfig.base.json vitest.config.ts`.split(/\s+/);

/** The types of the sources alone, in one program without output. */
const typesConfig = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    composite: false,
    emitDeclarationOnly: false,
    noEmit: true,
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node', 'vscode'],
  },
  include: ['src/**/*.ts', 'webview/**/*.ts', 'test/support/**/*.ts'],
};

/** Outcome of a program. */
interface Ended {
  readonly code: number;
  readonly output: string;
}

/** A copy of the project in which files can be changed, with the checks for recipes. */
export class ScratchTree {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<ScratchTree> {
    const folder = await mkdtemp(join(tmpdir(), 'recipes-'));
    for (const name of copied) {
      await cp(join(projectFolder, name), join(folder, name), { recursive: true });
    }
    await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'tsconfig.recipes.json'), JSON.stringify(typesConfig));
    return new ScratchTree(folder);
  }

  /**
   * Changes the files of a recipe.
   *
   * @throws if the place of an edit is missing
   */
  async apply({ edits }: Recipe): Promise<void> {
    for (const [path, edit] of Object.entries(edits)) {
      const file = join(this.folder, path);
      if (typeof edit === 'string') {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, edit, { flag: 'wx' });
      } else {
        let text = await readFile(file, 'utf8');
        for (const [place, replacement] of edit) {
          if (!text.includes(place)) throw new Error(`${path} has no ${JSON.stringify(place)}.`);
          text = text.replace(place, () => replacement);
        }
        await writeFile(file, text);
      }
    }
  }

  /** The text of a file without its recipe; undefined if the recipe creates it. */
  textWithout(path: string): Promise<string | undefined> {
    return readFile(join(projectFolder, path), 'utf8').catch(() => undefined);
  }

  /** Resets files to their text without the recipe during some work. */
  async without<Result>(paths: readonly string[], act: () => Promise<Result>): Promise<Result> {
    const texts = new Map<string, string>();
    for (const path of paths) {
      texts.set(path, await readFile(join(this.folder, path), 'utf8'));
      const text = await this.textWithout(path);
      await (text === undefined ? rm(join(this.folder, path)) : writeFile(join(this.folder, path), text));
    }
    try {
      return await act();
    } finally {
      for (const [path, text] of texts) await writeFile(join(this.folder, path), text);
    }
  }

  /** Runs a script or a program of `node_modules` in the copy. */
  run(program: string, ...programArguments: readonly string[]): Promise<Ended> {
    const script = program.endsWith('.ts') ? program : join('node_modules', '.bin', program);
    // Variables for this run's workers must not reach the vitest run in the copy.
    const environment = Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|TEST$|MODE$|DEV$|PROD$|SSR$|BASE_URL$|NODE_ENV$|NODE_OPTIONS$)/u.test(name),
    );
    const options = {
      cwd: this.folder,
      env: { ...Object.fromEntries(environment), NO_COLOR: '1' },
      maxBuffer: 100_000_000,
    };
    return new Promise((resolve) => {
      const [file, first] = program.endsWith('.ts') ? [process.execPath, [script]] : [script, []];
      execFile(file, [...first, ...programArguments], options, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
        resolve({ code, output: stdout + stderr });
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
