/**
 * What this project itself tells an agent of its session. It repeats what was said, so that it is no source of facts, and
 * no search finds it.
 */

/** The tools of the chat and of the server, under whatever prefix an agent calls those of a server. */
const lookupTool = /(?:^|[_./:-]|[a-z](?=[A-Z]))(?:recall|search_history|what_was_lost|context_usage)$/u;

/** Opens the facts that hooks give back. */
export const givenBackHeading = '# Facts from earlier in this session';

/** True for a tool that looks up what was said, read or run before. */
export function isLookup(tool: string): boolean {
  return lookupTool.test(tool);
}

/** A text up to the facts that a hook gave back with it. */
export function withoutGivenBack(text: string): string {
  const start = text.indexOf(givenBackHeading);
  return start < 0 ? text : text.slice(0, start);
}
