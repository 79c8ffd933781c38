/**
 * Text that this project itself gives an agent about its session. It repeats earlier messages, so it is not a source of
 * facts, and searches skip it.
 */

/** Tools of the chat and the server, with any prefix that an agent adds for a server. */
const lookupTool = /(?:^|[_./:-]|[a-z](?=[A-Z]))(?:recall|search_history|what_was_lost|context_usage)$/u;

/** Opening of the facts that hooks give back. */
export const givenBackHeading = '# Facts from earlier in this session';

/** True for a tool that looks up earlier messages, files or commands. */
export function isLookup(tool: string): boolean {
  return lookupTool.test(tool);
}

/** The text before any facts that a hook gave back with it. */
export function withoutGivenBack(text: string): string {
  const start = text.indexOf(givenBackHeading);
  return start < 0 ? text : text.slice(0, start);
}
