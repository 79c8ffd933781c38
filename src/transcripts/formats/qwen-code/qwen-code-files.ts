import { isRecord } from '../../../language/is-record.ts';
import {
  type AgentFiles,
  anyName,
  filledText,
  firstText,
  firstTyped,
  headLinesOf,
  lastText,
  type LastUsage,
  lastUsageIn,
  objectLines,
  type SessionHead,
  subAgentFile,
} from '../../reading/agent-files.ts';
import { type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
import { positive } from '../../reading/transcript-format.ts';

/** Files of Qwen Code. Sources: `packages/core/src/config/storage.ts` and `agents/agent-transcript.ts`. */
export const qwenCodeFiles: AgentFiles = {
  places: ({ home, environment }) => [
    {
      folder: `${environment['QWEN_RUNTIME_DIR'] || environment['QWEN_HOME'] || `${home}/.qwen`}/projects`,
      levels: [anyName, /^chats$/, /\.jsonl$/],
      subAgentLevels: [[anyName, /^subagents$/, anyName, subAgentFile]],
    },
  ],
  head: (text) => headOf(headLinesOf(text)),
  lastUsage: (tail) =>
    lastUsageIn(objectLines(tail), usageIn, ({ subtype }) => subtype === 'chat_compression'),
};

function headOf(lines: readonly Fields[]): SessionHead {
  const payloads = (subtype: string) =>
    lines
      .filter((line) => line['subtype'] === subtype)
      .map(({ systemPayload }) => systemPayload)
      .filter(isRecord);
  const typed = lines
    .filter(({ type, subtype }) => type === 'user' && subtype === undefined)
    .map(({ message }) => {
      const parts = recordsIn(fieldsOf(message)['parts']);
      // Texts after the first come from files and hooks.
      return filledText(parts.find(({ text }) => typeof text === 'string')?.['text']);
    });
  return {
    title: filledText(payloads('custom_title').at(-1)?.['customTitle']) ?? firstTyped(typed),
    workspace: firstText(lines.map(({ cwd }) => cwd)),
    model: lastText(lines.map(({ model }) => model)),
    window: lines
      .map(({ contextWindowSize }) => contextWindowSize)
      .findLast((size) => typeof size === 'number'),
    parentId: firstText(payloads('parent_session').map(({ parentSessionId: id }) => id)),
  };
}

function usageIn({ usageMetadata, contextWindowSize, model }: Fields): LastUsage | undefined {
  const { totalTokenCount: tokens } = fieldsOf(usageMetadata);
  if (typeof tokens !== 'number') return undefined;
  return { tokens, window: positive(contextWindowSize), model: filledText(model) };
}
