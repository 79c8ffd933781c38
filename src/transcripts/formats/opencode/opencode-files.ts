import { fieldsOf, recordsIn } from '../../reading/fields.ts';
import {
  type AgentFiles,
  type AgentPlace,
  anyName,
  filledText,
  type LastUsage,
  type PlaceSurroundings,
  type SessionHead,
} from '../../reading/agent-files.ts';
import { readJsonHead } from '../../reading/json-head.ts';

export const opencodeFiles: AgentFiles = {
  places: (surroundings) => opencodePlaces('opencode', surroundings),
  head: (text) => opencodeHead(readJsonHead(text)),
  // Messages of opencode are not stored in the files of its sessions.
  lastUsage: () => undefined,
};

/** Returns the places of opencode, or of Kilo Code, which is built on it and stores the same files since version 7. */
export function opencodePlaces(
  name: string,
  { home, environment }: PlaceSurroundings,
): readonly AgentPlace[] {
  const folder = `${environment['XDG_DATA_HOME'] || `${home}/.local/share`}/${name}`;
  return [
    { folder, levels: [new RegExp(`^${name}(?:-[\\w.]+)?\\.db$`)], isDatabase: true },
    { folder: `${folder}/storage/session`, levels: [anyName, /^ses_.*\.json$/] },
  ];
}

/** Reads opencode's file about a session, which contains no messages. */
export function opencodeHead(document: unknown): SessionHead {
  const { title, directory, parentID } = fieldsOf(document);
  return { title: filledText(title), workspace: filledText(directory), parentId: filledText(parentID) };
}

/**
 * Reads the context's size in a session of opencode, or of Kilo Code since version 7: tokens of the last reply,
 * including cached tokens. After a summary, it is unknown until the next reply; opencode itself then shows the
 * request for the summary. Sources: `packages/opencode/src/cli/cmd/tui/routes/session/sidebar.tsx` of opencode;
 * `packages/opencode/src/kilocode/session/overflow.ts` of Kilo Code counts in the same way.
 *
 * @param messages the last stored messages, newest last
 */
export function opencodeUsage(messages: readonly unknown[]): LastUsage | undefined {
  let isOvertaken = false;
  for (const message of recordsIn(messages).toReversed()) {
    if (message['role'] !== 'assistant') {
      isOvertaken = true;
      continue;
    }
    const tokens = fieldsOf(message['tokens']);
    const cache = fieldsOf(tokens['cache']);
    const numbers = [tokens['input'], tokens['output'], tokens['reasoning'], cache['read'], cache['write']];
    const [input, output, ...others] = numbers.map((one) => (typeof one === 'number' && one > 0 ? one : 0));
    if (!output) continue;
    if (message['summary'] === true) return undefined;
    const all = others.reduce((sum, one) => sum + one, (input ?? 0) + output);
    return { tokens: all, model: filledText(message['modelID']), ...(isOvertaken && { isOvertaken }) };
  }
  return undefined;
}
