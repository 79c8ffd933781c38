/**
 * Renderings of calls for people, in which SpecStory keeps what it shows of the arguments: what a command is for, then
 * the command in backticks or in a fence.
 */

const inlineCommand = /(?:^|\n)`(?<command>[^`\n](?:[^]*[^`\n])?)`$/u;
const fencedCommand = /(?:^|\n)(?<fence>`{3,})(?:bash|sh|shell|zsh|console)?\n(?<command>[^]*?)\n\k<fence>$/u;

/** The command that a rendering of a shell call ends with, and what it is for; undefined if it ends with none. */
export function commandOfDisplay(
  display: string,
): { readonly description: string; readonly command: string } | undefined {
  const found = fencedCommand.exec(display) ?? inlineCommand.exec(display);
  const command = found?.groups?.['command'];
  if (found === null || command === undefined) return undefined;
  return { description: display.slice(0, found.index).trim(), command };
}
