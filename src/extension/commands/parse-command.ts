/** A command as it was typed. Nobody has looked yet whether there is one of this name. */
export interface TypedCommand {
  /** Without the slash. */
  readonly name: string;
  /** Everything behind the name, without the space around it; empty where there is nothing. */
  readonly argument: string;
}

/** A word of small letters behind one slash. Paths have more slashes, dots or capitals in their first word. */
const command = /^\s*\/(?<name>[a-z]+(?:-[a-z]+)*)(?:\s+(?<argument>\S[^]*)?)?$/u;
/** What would be a command if it had fewer slashes, up to the last one of them. */
const slashesOfWord = /^\s*\/+(?=[a-z]+(?:-[a-z]+)*(?:\s|$))/u;
const escapedWord = /^(?<space>\s*)\/(?=\/+[a-z]+(?:-[a-z]+)*(?:\s|$))/u;

/** @returns undefined for a text that is to be said as it is: no command, or one that is escaped with a second slash */
export function parseCommand(text: string): TypedCommand | undefined {
  const groups = command.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return { name: groups['name'] ?? '', argument: (groups['argument'] ?? '').trimEnd() };
}

/** A text that is said as it is when it is typed, for example an earlier message that is written anew. */
export function escapeCommand(text: string): string {
  return slashesOfWord.test(text) ? text.replace('/', '//') : text;
}

/** What is said when a text is typed that is no command: without the slash that escaped it. */
export function unescapeCommand(text: string): string {
  return text.replace(escapedWord, '$<space>');
}
