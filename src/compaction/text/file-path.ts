/** Gives equal paths the same spelling: forward slashes, an upper case drive, no `./`, `a/..` or final slash. */
export function normalisedPath(path: string): string {
  const slashed = path.trim().replaceAll('\\', '/');
  const root = /^(?:\/\/(?!\/)|(?:[a-z]:)?\/)/iu.exec(slashed)?.[0].toUpperCase() ?? '';
  const parts: string[] = [];
  for (const part of slashed.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue;
    const parent = parts.at(-1);
    if (part !== '..') parts.push(part);
    else if (parent !== undefined && parent !== '..') parts.pop();
    else if (root === '') parts.push(part);
  }
  return `${root}${parts.join('/')}` || '.';
}
