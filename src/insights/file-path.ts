/**
 * One spelling for each path that names the same file: forward slashes, no `./` and no `..` where what it leaves is
 * written there, no slash at the end.
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
