import type { MadeCall } from './turn.ts';

/** A line that `search_text` found. */
export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Lines of a file that `read_file` returned, by their numbers. */
export interface ReadLines {
  readonly path: string;
  readonly lines: ReadonlyMap<number, string>;
  /** Lines of the whole file, where the tool did not return all of them. */
  readonly total: number | undefined;
}

/** Matches of all searches, each line once. */
export function hitsIn(calls: readonly MadeCall[]): readonly Hit[] {
  const hits = new Map<string, Hit>();
  for (const { tool, result = '' } of calls) {
    if (tool !== 'search_text') continue;
    for (const [, path = '', line = '', text = ''] of result.matchAll(/^(.+?):(\d+): (.*)$/gm)) {
      hits.set(`${path}:${line}`, { path, line: Number(line), text });
    }
  }
  return [...hits.values()];
}

/** Paths that `find_files` found, each once. */
export function pathsIn(calls: readonly MadeCall[]): readonly string[] {
  const paths = calls
    .filter(({ tool }) => tool === 'find_files')
    .flatMap(({ result = '' }) => result.split('\n'))
    .filter((line) => line !== '' && !/^\[.*\]$|^No file matches |^The (?:glob|search) /.test(line));
  return [...new Set(paths)];
}

/** What `read_file` returned, one entry a file, in the order of the calls. */
export function readsIn(calls: readonly MadeCall[]): readonly ReadLines[] {
  const files = new Map<string, ReadLines>();
  for (const { tool, input, result = '' } of calls) {
    if (tool !== 'read_file' || typeof input['path'] !== 'string') continue;
    const path = input['path'];
    const lines = new Map(files.get(path)?.lines);
    for (const [, number = '', text = ''] of result.matchAll(/^(\d+)\t(.*)$/gm))
      lines.set(Number(number), text);
    if (lines.size > 0) files.set(path, { path, lines, total: totalIn(result) });
  }
  return [...files.values()];
}

function totalIn(result: string): number | undefined {
  const total = /\n\[Lines \d+–\d+ of (\d+)\./.exec(result)?.[1];
  return total === undefined ? undefined : Number(total);
}
