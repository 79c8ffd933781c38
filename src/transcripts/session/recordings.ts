import {
  type AgentFiles,
  type AgentPlace,
  anyName,
  filledText,
  firstText,
  lastText,
  lastUsageIn,
  type LastUsage,
  headLinesOf,
  objectLines,
  type PlaceSurroundings,
  type SessionHead,
} from '../reading/agent-files.ts';
import { type Fields, fieldsOf } from '../reading/fields.ts';
import { positive } from '../reading/transcript-format.ts';
import { stateFolder } from './state-folder.ts';

/** Returns the folder in which the proxy records the conversations of a client. */
function recordingsFolder(surroundings: PlaceSurroundings, client: string): string {
  return `${stateFolder(surroundings)}/wire/${client}`;
}

/** Returns the place of a client's recordings. A folder named after a recording has the conversations that it started. */
export function recordingsPlace(surroundings: PlaceSurroundings, client: string): AgentPlace {
  const ending = /\.jsonl$/;
  return {
    folder: recordingsFolder(surroundings, client),
    levels: [ending],
    subAgentLevels: [[anyName, ending]],
    isOfRecordings: true,
  };
}

/** True if a path is of a recording. */
export function isRecording(surroundings: PlaceSurroundings, path: string): boolean {
  const [folder, file] = [recordingsFolder(surroundings, ''), path].map((one) => one.replaceAll('\\', '/'));
  return file!.startsWith(folder!) && file!.endsWith('.jsonl') && !file!.includes('/../');
}

/** Files of programs that are no known agents: only recordings. */
export const otherClientFiles: AgentFiles = {
  places: () => [],
  head: () => ({}),
  lastUsage: () => undefined,
};

/** Reads the beginning of a recording. */
export function recordingHead(text: string): SessionHead {
  const lines = headLinesOf(text);
  const header = lines.find(({ type }) => type === 'session');
  const origin = fieldsOf(header?.['wire']);
  return {
    title: firstText(lines.filter(({ type }) => type === 'title').map(({ title }) => title)),
    workspace: filledText(origin['folder']),
    sessionId: filledText(origin['session']),
    startedAt: filledText(header?.['createdAt']),
    model: lastText(lines.map(({ message }) => fieldsOf(message)['modelId'])),
  };
}

/** Reads the last usage at the end of a recording, unless a change of the context follows it. */
export function recordingUsage(tail: string): LastUsage | undefined {
  return lastUsageIn(objectLines(tail), usageIn, ({ type }) => type === 'compaction');
}

function usageIn({ message }: Fields): LastUsage | undefined {
  const { usage, modelId } = fieldsOf(message);
  const { inputTokens, outputTokens } = fieldsOf(usage);
  const tokens = (positive(inputTokens) ?? 0) + (positive(outputTokens) ?? 0);
  return tokens === 0 ? undefined : { tokens, model: filledText(modelId) };
}
