import { withoutEnd } from '../../compaction/text-end.ts';

/**
 * A name as the most forgiving file system takes it: case, width and ligatures of letters do not count, nor dots and
 * blanks at its end, nor what stands behind a colon.
 */
export function plainName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return withoutEnd(folded.split(':', 1)[0] ?? '', '. ');
}

/** The names in a path, folded, with either slash between them. */
export function plainNames(path: string): readonly string[] {
  return path.split(/[/\\]/).map(plainName);
}
