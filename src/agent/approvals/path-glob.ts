/**
 * Whether a path fits a glob: `*` and `?` stand for characters of one name, `**` for any number of folders. A path
 * that goes up, or from the root, fits none.
 *
 * @param path relative, with forward slashes
 */
export function fitsGlob(path: string, glob: string): boolean {
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..') || path.includes('\\')) return false;
  return fits(names, glob.split('/'));
}

function fits(names: readonly string[], parts: readonly string[]): boolean {
  // Which parts are reached, after each name: folders can be many, so none is tried twice.
  let reached = withSkipped(new Set([0]), parts);
  for (const name of names) {
    const next = new Set<number>();
    for (const index of reached) {
      const part = parts[index];
      if (part === '**') next.add(index);
      else if (part !== undefined && patternOf(part).test(name)) next.add(index + 1);
    }
    reached = withSkipped(next, parts);
  }
  return reached.has(parts.length);
}

/** Two stars may stand for nothing. */
function withSkipped(reached: Set<number>, parts: readonly string[]): Set<number> {
  for (const index of reached) if (parts[index] === '**') reached.add(index + 1);
  return reached;
}

function patternOf(part: string): RegExp {
  const escaped = part.replace(/[\\^$.+()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*+/g, '.*').replaceAll('?', '.')}$`, 'su');
}
