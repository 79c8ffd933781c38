/** A line that is a picture and nothing else, possibly within a list. */
const picture = /^\s*!\[[^\]]*\]\((?<path>[^)]+)\)\s*$/u;

/**
 * The README as the package has it: without the pictures that the package leaves out. Such a picture is a line of its
 * own, so the text around it stands without it.
 *
 * @param files paths in the package, relative to the project folder
 */
export function packagedReadme(readme: string, files: ReadonlySet<string>): string {
  const lines = readme.split('\n').filter((line) => {
    const path = picture.exec(line)?.groups?.['path'];
    return path === undefined || files.has(path);
  });
  return lines.join('\n').replace(/\n{3,}/gu, '\n\n');
}
