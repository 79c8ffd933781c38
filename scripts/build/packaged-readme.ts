/** A line that consists of a picture, possibly within a list. */
const picture = /^\s*!\[[^\]]*\]\((?<path>[^)]+)\)\s*$/u;

/**
 * The README of the package, without the pictures that the package leaves out. Each picture is on a separate line, so
 * the text around it stays intact.
 *
 * @param files paths in the package, relative to the project's folder
 */
export function packagedReadme(readme: string, files: ReadonlySet<string>): string {
  const lines = readme.split('\n').filter((line) => {
    const path = picture.exec(line)?.groups?.['path'];
    return path === undefined || files.has(path);
  });
  return lines.join('\n').replace(/\n{3,}/gu, '\n\n');
}
