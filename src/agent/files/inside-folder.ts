import path from 'node:path';

/** True if a place is a folder or inside it. Both absolute, with all symbolic links resolved. */
export function isInside(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}
