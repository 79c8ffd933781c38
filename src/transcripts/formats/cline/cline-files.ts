import { fieldsOf, recordsIn } from '../../reading/fields.ts';
import {
  type AgentFiles,
  type AgentPlace,
  anyName,
  filledText,
  firstTyped,
  firstTypedPart,
  lastText,
  type LastUsage,
  type PlaceSurroundings,
  type SessionHead,
} from '../../reading/agent-files.ts';
import { extensionStorages } from '../../reading/editor-folders.ts';
import { saidParts, textOfParts } from '../../reading/content-parts.ts';
import { readJsonHead } from '../../reading/json-head.ts';
import { opencodeHead, opencodePlaces } from '../opencode/opencode-files.ts';
import { clineReport } from './cline-format.ts';
import { tokensOfRequest } from './cline-task-events.ts';
import { workingFolderIn } from './cline-task-format.ts';
import { saidInTask } from './cline-task-said.ts';

export const clineFiles: AgentFiles = {
  places: (surroundings) => [
    ...clinePlaces(surroundings),
    ...taskPlaces('saoudrizwan.claude-dev', surroundings),
  ],
  head: (text) => {
    const document = readJsonHead(text);
    return Array.isArray(document) ? taskHead(document) : clineHead(document);
  },
  lastUsage: clineUsage,
};

export const rooCodeFiles: AgentFiles = {
  places: (surroundings) => taskPlaces('rooveterinaryinc.roo-cline', surroundings),
  head: (text) => taskHead(readJsonHead(text)),
  lastUsage: rooUsage,
};

/** Since version 7, Kilo Code is built on opencode and stores sessions like it. Before, it was like Roo Code. */
export const kiloCodeFiles: AgentFiles = {
  places: (surroundings) => [
    ...opencodePlaces('kilo', surroundings),
    ...taskPlaces('kilocode.kilo-code', surroundings),
  ],
  head: (text) => {
    const document = readJsonHead(text);
    return Array.isArray(document) ? taskHead(document) : opencodeHead(document);
  },
  lastUsage: rooUsage,
};

/** @param extension id of the extension that stores tasks */
function taskPlaces(extension: string, surroundings: PlaceSurroundings): readonly AgentPlace[] {
  return extensionStorages(surroundings).map((storage) => ({
    folder: `${storage}/${extension}/tasks`,
    levels: [anyName, /^api_conversation_history\.json$/],
  }));
}

/**
 * Since version 4, all Cline programs share one folder of sessions. Earlier versions outside an editor stored tasks
 * in the data folder. Source: `sdk/packages/shared/src/storage/paths.ts`.
 */
function clinePlaces({ home, environment }: PlaceSurroundings): readonly AgentPlace[] {
  const data = environment['CLINE_DATA_DIR'] || `${environment['CLINE_DIR'] || `${home}/.cline`}/data`;
  const sessions = environment['CLINE_SESSION_DATA_DIR'] || `${data}/sessions`;
  return [
    { folder: sessions, levels: [anyName, /\.messages\.json$/] },
    { folder: `${data}/tasks`, levels: [anyName, /^api_conversation_history\.json$/] },
  ];
}

function taskHead(document: unknown): SessionHead {
  const contents = recordsIn(document).map(({ content }) => content);
  const content = contents.find((said) => filledText(textOfParts(said)) !== undefined);
  const title = firstTypedPart([saidInTask(saidParts(content), true)]);
  return { title, workspace: workingFolderIn(content) };
}

/** Reads a session of Cline since version 4. A sub-agent's id begins with the id of the session that started it. */
function clineHead(document: unknown): SessionHead {
  const { messages, agent, sessionId } = fieldsOf(document);
  const listed = recordsIn(messages);
  const typed = listed.filter(({ role }) => role === 'user').map(({ content }) => content);
  const [root, ...rest] = (filledText(sessionId) ?? '').split('__');
  return {
    title: firstTyped(typed),
    model: lastText(listed.map(({ modelInfo }) => fieldsOf(modelInfo)['id'])),
    ...(agent !== 'lead' && rest.length > 0 && { parentId: filledText(root) }),
  };
}

/** Fields that Cline stores with a reply, the reply's time, and the texts that follow Cline's own compaction. */
const clineNotes =
  /"(?<name>metrics|modelInfo)"\s*:\s*(?<value>\{(?:[^{}]|\{[^{}]*\})*\})|"ts"\s*:\s*(?<at>\d+)|(?<isCompacted>\bran out of context\. The conversation is summarized below:|The user has accepted the condensed conversation summary)/gu;

/** Time of a compaction, as stored by Cline since version 4. */
const stateTime = /^\s*\{\s*"version"\s*:\s*1\s*,\s*"updated_at"\s*:\s*"(?<at>[^"]*)"/u;

/**
 * @param tail end of a task's conversation, or of a session of Cline since version 4
 * @param beside text of the companion file: the end of `ui_messages.json`, the only source of the numbers before
 * version 3.46, or the beginning of `<id>.compaction.json`
 */
function clineUsage(tail: string, beside: string | undefined): LastUsage | undefined {
  let model: string | undefined;
  let usage: LastUsage | undefined;
  let isKnown = false;
  let [at, usageAt] = [0, 0];
  for (const { groups = {} } of tail.matchAll(clineNotes)) {
    const { name = '', value = '', isCompacted } = groups;
    at = Number(groups['at'] ?? at);
    if (isCompacted !== undefined) usage = undefined;
    const report = clineReport({ [name]: readJsonHead(value) });
    model = report.modelId ?? model;
    if (report.usage !== undefined) {
      usage = { tokens: report.usage.inputTokens + report.usage.outputTokens };
      usageAt = at;
    }
    isKnown ||= usage !== undefined || isCompacted !== undefined;
  }
  const compactedAt = Date.parse(stateTime.exec(beside ?? '')?.groups?.['at'] ?? '');
  if (compactedAt > usageAt) return undefined;
  if (!isKnown && beside !== undefined) return taskUsage('cline', beside, tail);
  return usage === undefined ? undefined : { ...usage, model };
}

function rooUsage(tail: string, beside?: string): LastUsage | undefined {
  return beside === undefined ? undefined : taskUsage('roo-code', beside, tail);
}

/** Token numbers of a request, in JSON within a JSON string, and the name of the message or object around them. */
const taskNotes =
  /"say"\s*:\s*"(?<say>\w+)"|"(?<about>contextCondense|contextTruncation)"\s*:|"newContextTokens"\s*:\s*(?<condensed>\d+)|(?<!\\)\\"tokensIn\\":(?<input>\d+),\\"tokensOut\\":(?<output>\d+)(?:,\\"cacheWrites\\":(?<writes>\d+))?(?:,\\"cacheReads\\":(?<reads>\d+))?/gu;

/**
 * Reads the size of a task's context: tokens of the last request, or of the context after a later summary. Sources:
 * `consolidateTokenUsage` in `packages/core/src/message-utils` of Roo Code, which also ignores cuts;
 * `getLastApiReqTotalTokens` in `src/shared/getApiMetrics.ts` of Cline 3.89, which adds cached tokens.
 *
 * @param shown the end of `ui_messages.json`
 * @param tail the end of the conversation, in which Roo Code names the model
 */
function taskUsage(agent: 'cline' | 'roo-code', shown: string, tail: string): LastUsage | undefined {
  let say: string | undefined;
  let about: string | undefined;
  let tokens = 0;
  for (const { groups = {} } of shown.matchAll(taskNotes)) {
    say = groups['say'] ?? say;
    about = groups['about'] ?? about;
    if (groups['condensed'] !== undefined && about === 'contextCondense') {
      tokens = Number(groups['condensed']) || tokens;
    }
    // The name of the message may precede the text.
    if (groups['input'] === undefined || (say !== undefined && say !== 'api_req_started')) continue;
    const [input, output, cacheReads, cacheWrites] = ['input', 'output', 'reads', 'writes'].map((name) =>
      Number(groups[name] ?? 0),
    ) as [number, number, number, number];
    const request = tokensOfRequest({ input, output, cacheReads, cacheWrites });
    const all = agent === 'cline' ? input + cacheReads + cacheWrites : request.inputTokens;
    tokens = all + output || tokens;
  }
  const model = [...tail.matchAll(/<model>(?<id>[\w./:@-]+)<\/model>/gu)].at(-1)?.groups?.['id'];
  return tokens === 0 ? undefined : { tokens, model };
}
