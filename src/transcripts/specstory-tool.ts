/** Arguments by name; `display` is what is shown without one. */
export interface ShownArguments {
  readonly display?: string;
  readonly description?: string;
  readonly command?: string;
  readonly file_path?: string;
}

/** A tool that was used, as SpecStory renders it. */
export interface RenderedTool {
  readonly name: string;
  /** What SpecStory shows of the arguments, under the names that they have. */
  readonly shown: ShownArguments;
  /** Not there where the rendering shows none. */
  readonly result?: { readonly text: string; readonly isError: boolean };
}

/** A command in backticks, or in a fence, with what it is for before it. */
const inlineCommand = /(?:^|\n)`(?<command>[^`\n](?:[^]*[^`\n])?)`$/u;
const fencedCommand = /(?:^|\n)(?<fence>`{3,})(?:bash|sh|shell|zsh|console)?\n(?<command>[^]*?)\n\k<fence>$/u;
/** A path in backticks, with what is written there behind it. */
const leadingPath = /^`(?<path>[^`\n]+)`[ \t]*(?:\n|$)/u;

/** How Claude Code begins the result of a tool that failed; the rendering keeps no other trace of it. */
const failure = /^(?:<tool_use_error>|Exit code [1-9])/;

/**
 * Takes a rendering apart: the tool's name, what is shown of its arguments, and the result in a fence. Fences can
 * stand within fences; newer files have an outer one longer than all within, in older ones the result's is the first
 * that is marked as text, and ends where the rendering does.
 *
 * @param opening the line with the tag that a rendering begins with
 * @param lines those between that tag and the one that ends it
 */
export function renderedTool(opening: string, lines: readonly string[]): RenderedTool {
  const name = /data-tool-name="([^"]*)"/.exec(opening)?.[1] ?? '';
  const type = /data-tool-type="([^"]*)"/.exec(opening)?.[1] ?? '';
  const body = /^<summary>.*<\/summary>$/.test(lines[0] ?? '') ? lines.slice(1) : lines;
  const heading = body.findIndex((line) => line === '**Result:**' || line === '**Error:**');
  const fence = body.findIndex((line, index) =>
    (index > heading && heading >= 0 ? /^`{3,}$/ : /^`{3,}text$/).test(line),
  );
  if (fence < 0) return { name, shown: shownArguments(type, textOf(body)) };
  const isHeaded = heading >= 0 && heading < fence;
  const result = body.slice(fence + 1);
  const closing = result.lastIndexOf((body[fence] ?? '').replace('text', ''));
  const text = (closing < 0 ? result : result.slice(0, closing)).join('\n');
  return {
    name,
    shown: shownArguments(type, textOf(body.slice(0, isHeaded ? heading : fence))),
    result: { text, isError: (isHeaded && body[heading] === '**Error:**') || failure.test(text) },
  };
}

function shownArguments(type: string, display: string): ShownArguments {
  if (type === 'shell') {
    const found = fencedCommand.exec(display) ?? inlineCommand.exec(display);
    const command = found?.groups?.['command'];
    if (found === null || command === undefined) return { display };
    const description = display.slice(0, found.index).trim();
    return { ...(description !== '' && { description }), command };
  }
  const path = type === 'read' || type === 'write' ? leadingPath.exec(display) : null;
  if (path?.groups?.['path'] === undefined) return { display };
  const rest = display.slice(path[0].length).trim();
  return { file_path: path.groups['path'], ...(rest !== '' && { display: rest }) };
}

function textOf(lines: readonly string[]): string {
  return lines.join('\n').trim();
}
