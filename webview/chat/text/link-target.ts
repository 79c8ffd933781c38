/** The target of a link in an answer. Links with other targets are shown as text. */
export type LinkTarget =
  | { readonly type: 'web'; readonly url: string }
  | { readonly type: 'file'; readonly path: string; readonly line?: number };

const fileAndLine = /^(?<path>(?:[^\s:#?]*[\\/])?[^\s:#?\\/]+\.[A-Za-z]\w{0,9}):(?<line>\d+)(?:[-:–]\d+)*$/;
const fileLink = /^(?<path>[^:#?]+)(?:(?::|#L?)(?<line>\d+)(?:[-:–]L?\d+)*)?$/;

/** Parses `src/lock.ts:61`. A column or a second line may follow. */
export function parsePathAndLine(text: string): LinkTarget | undefined {
  return toFile(fileAndLine.exec(text));
}

/** Reads the destination of a Markdown link: a web page, or a file of the workspace. */
export function parseLink(destination: string): LinkTarget | undefined {
  if (/^https?:\/\//i.test(destination)) {
    return URL.canParse(destination) ? { type: 'web', url: destination } : undefined;
  }
  return toFile(fileLink.exec(decode(destination)));
}

function toFile(match: RegExpExecArray | null): LinkTarget | undefined {
  const path = match?.groups?.['path'];
  // The host resolves paths below the workspace only, so no other path can be its file.
  if (path === undefined || /^[\\/~]/.test(path)) return undefined;
  const line = Number(match?.groups?.['line'] ?? 0);
  return line > 0 ? { type: 'file', path, line } : { type: 'file', path };
}

function decode(destination: string): string {
  try {
    return decodeURIComponent(destination);
  } catch {
    return destination;
  }
}
