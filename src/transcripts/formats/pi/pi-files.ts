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
} from '../../reading/agent-files.ts';
import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { readPiUsage } from './pi-format.ts';

export const piFiles: AgentFiles = {
  places: ({ home, environment }) => {
    const agent = environment['PI_CODING_AGENT_DIR'] || `${home}/.pi/agent`;
    const folder = environment['PI_CODING_AGENT_SESSION_DIR'] || `${agent}/sessions`;
    // A custom folder contains sessions directly, without project folders.
    return [
      { folder, levels: [anyName, /\.jsonl$/] },
      { folder, levels: [/\.jsonl$/] },
    ];
  },
  head: (text) => headOf(headLinesOf(text)),
  lastUsage: (tail) => lastUsageIn(objectLines(tail), usageIn, ({ type }) => type === 'compaction'),
};

function headOf(lines: readonly Fields[]): SessionHead {
  const messages = lines.map(({ message }) => message).filter(isRecord);
  const typed = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const named = lines.findLast(({ type }) => type === 'session_info')?.['name'];
  return {
    title: filledText(named) ?? firstTyped(typed),
    workspace: firstText(lines.filter(({ type }) => type === 'session').map(({ cwd }) => cwd)),
    model: lastText(messages.map(({ model }) => model)),
  };
}

function usageIn({ message }: Fields): LastUsage | undefined {
  const { usage, model } = fieldsOf(message);
  const reported = readPiUsage(usage);
  if (reported === undefined) return undefined;
  return { tokens: reported.inputTokens + reported.outputTokens, model: filledText(model) };
}
