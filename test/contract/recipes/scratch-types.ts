import { join } from 'node:path';
import ts from 'typescript';

/** Texts of files in place of those on disk, by their paths in the tree; undefined for a file that is not there. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The types of a scratch tree. Files are read and parsed once, however often they are checked. */
export class ScratchTypes {
  private readonly folder: string;
  private readonly options: ts.CompilerOptions;
  private readonly fileNames: readonly string[];
  private readonly parsed = new Map<string, ts.SourceFile | undefined>();
  private last: ts.Program | undefined;

  /** @param config name of a `tsconfig` in the folder */
  constructor(folder: string, config: string) {
    this.folder = folder;
    const { config: json } = ts.readConfigFile(join(folder, config), (path) => ts.sys.readFile(path)) as {
      readonly config: unknown;
    };
    const { options, fileNames } = ts.parseJsonConfigFileContent(json, ts.sys, folder);
    this.options = options;
    this.fileNames = fileNames;
  }

  /**
   * TypeScript's errors after changes of files.
   *
   * @param paths files to check; all by default
   * @returns one sentence for each error
   */
  errors(changes: Changes, paths?: readonly string[]): readonly string[] {
    const changed = new Map(Object.entries(changes).map(([path, text]) => [join(this.folder, path), text]));
    const isThere = (path: string): boolean => changed.get(path) !== undefined || !changed.has(path);
    const roots = new Set([...this.fileNames, ...changed.keys()].filter(isThere));
    const program = ts.createProgram({
      rootNames: [...roots],
      options: this.options,
      host: this.host(changed),
      ...(this.last === undefined ? {} : { oldProgram: this.last }),
    });
    this.last = program;
    const files = paths?.flatMap((path) => program.getSourceFile(join(this.folder, path)) ?? []);
    const found =
      files === undefined
        ? ts.getPreEmitDiagnostics(program)
        : files.flatMap((file) => program.getSemanticDiagnostics(file));
    return found.map(
      ({ file, messageText }) =>
        `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  }

  private host(changed: ReadonlyMap<string, string | undefined>): ts.CompilerHost {
    const host = ts.createCompilerHost(this.options);
    const { target = ts.ScriptTarget.Latest } = this.options;
    const parse = (path: string): ts.SourceFile | undefined => {
      if (!this.parsed.has(path))
        this.parsed.set(path, host.getSourceFile(path, { languageVersion: target }));
      return this.parsed.get(path);
    };
    return {
      ...host,
      fileExists: (path) => (changed.has(path) ? changed.get(path) !== undefined : ts.sys.fileExists(path)),
      readFile: (path) => (changed.has(path) ? changed.get(path) : ts.sys.readFile(path)),
      getSourceFile: (path) => {
        if (!changed.has(path)) return parse(path);
        const text = changed.get(path);
        return text === undefined ? undefined : ts.createSourceFile(path, text, target);
      },
    };
  }
}
