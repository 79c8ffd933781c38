/**
 * Normalises a path: forward slashes, no `./`, no `..` after a named folder, no trailing
 * slash.
 */
export function normalisedPath(path: string): string {
  const slashed = path.trim().replaceAll('\\', '/');
  const root = slashed.startsWith('/') ? '/' : '';
  const parts: string[] = [];
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    const parent = parts.at(-1);
    if (part !== '..') parts.push(part);
    else if (parent !== undefined && parent !== '..') parts.pop();
    else if (root === '') parts.push(part);
  }
  return `${root}${parts.join('/')}` || '.';
}
