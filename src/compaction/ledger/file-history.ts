import { type FileFact, lastMet, mergeFiles, type WorkSections } from '../messages/ledger.ts';
import { oneSpelling } from './one-spelling.ts';
import type { TouchedFile } from './path-words.ts';

type Files = Pick<WorkSections, 'filesModified' | 'filesRead'>;

/**
 * The files of earlier work and of what was done since, each once and in one spelling. A file that was written is new if
 * nothing met it before; one that is gone again leaves no trace.
 */
export function withFiles(earlier: Files, since: readonly TouchedFile[]): Files {
  const paths = [
    ...earlier.filesModified.map(({ path }) => path),
    ...earlier.filesRead,
    ...since.map(({ path }) => path),
  ];
  const spelled = oneSpelling(paths);
  const modified: FileFact[] = earlier.filesModified.map((file) => ({ ...file, path: spelled(file.path) }));
  const read = earlier.filesRead.map(spelled);
  const there = new Set([
    ...modified.filter(({ deleted }) => deleted !== true).map(({ path }) => path),
    ...read,
  ]);
  for (const { path: written, what } of since) {
    const path = spelled(written);
    if (what === 'read') read.push(path);
    else if (what === 'deleted') modified.push({ path, deleted: true });
    else if (what === 'created' || (what === 'written' && !there.has(path)))
      modified.push({ path, created: true });
    else modified.push({ path, edits: 1 });
    if (what === 'deleted') there.delete(path);
    else there.add(path);
  }
  const merged = mergeFiles(modified);
  const changed = new Set(merged.map(({ path }) => path));
  return {
    filesModified: merged.filter(({ created, deleted }) => created !== true || deleted !== true),
    filesRead: lastMet([], read).filter((path) => !changed.has(path)),
  };
}
