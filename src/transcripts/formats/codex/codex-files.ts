import { readUsage } from '../../../compaction/tokens/read-usage.ts';
import {
  type AgentFiles,
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
import { positive } from '../../reading/transcript-format.ts';
import { isMetaOfSubAgent } from './codex-format.ts';

export const codexFiles: AgentFiles = {
  places: ({ home, environment }) => [
    {
      folder: `${environment['CODEX_HOME'] || `${home}/.codex`}/sessions`,
      levels: [/^\d{4}$/, /^\d\d$/, /^\d\d$/, /^rollout-.*\.jsonl$/],
    },
  ],
  head: (text) => headOf(headLinesOf(text)),
  lastUsage: (tail) => lastUsageIn(objectLines(tail), usageIn, ({ type }) => type === 'compacted'),
};

function headOf(lines: readonly Fields[]): SessionHead {
  const fields = lines.map(({ type, payload }): Fields => ({ of: type, ...fieldsOf(payload) }));
  const meta = fields.find(({ of }) => of === 'session_meta') ?? {};
  const parentId = parentOf(meta);
  const own = titleIn(ownOf(fields, meta));
  const isCopy = parentId !== undefined && filledText(meta['forked_from_id']) !== undefined;
  return {
    // A sub-agent's name is more useful than the first words of the copied session.
    title: own ?? (isCopy ? filledText(meta['agent_nickname']) : titleIn(fields)),
    workspace: firstText(fields.map(({ cwd }) => cwd)),
    model: lastText(fields.filter(({ of }) => of === 'turn_context').map(({ model }) => model)),
    parentId,
  };
}

function titleIn(fields: readonly Fields[]): string | undefined {
  const told = fields.filter(({ of, type }) => of === 'event_msg' && type === 'user_message');
  const said = fields.filter(({ of, type, role }) => {
    return of === 'response_item' && type === 'message' && role === 'user';
  });
  return firstTyped([...told.map(({ message }) => message), ...said.map(({ content }) => content)]);
}

/**
 * Returns a fork's own lines. A fork begins with a copy of its parent. Ids of sessions and turns begin with their
 * times, so a fork's own turns have ids that sort after the id of the fork.
 */
function ownOf(fields: readonly Fields[], { forked_from_id: from, id }: Fields): readonly Fields[] {
  if (typeof from !== 'string' || typeof id !== 'string') return fields;
  const start = fields.findIndex(({ of, turn_id: turn }) => {
    return of === 'turn_context' && typeof turn === 'string' && turn > id;
  });
  return start < 0 ? [] : fields.slice(start);
}

/** Returns the id of a Codex session's parent. Only the first session start in a fork's file is its own. */
function parentOf({ source, parent_thread_id: parent, forked_from_id: from }: Fields): string | undefined {
  const { subagent } = fieldsOf(source);
  if (subagent === undefined) return undefined;
  const { parent_thread_id: spawner } = fieldsOf(fieldsOf(subagent)['thread_spawn']);
  return firstText([spawner, parent, from]);
}

/**
 * True for a rollout of a Codex sub-agent. Only the first line shows this. Other agents' files also show it
 * in later lines, or cannot be read without the first line.
 *
 * @param text the first characters of the file
 */
export function isRolloutOfSubAgent(text: string): boolean {
  const [first] = headLinesOf(text);
  return first?.['type'] === 'session_meta' && isMetaOfSubAgent(fieldsOf(first['payload']));
}

function usageIn({ payload }: Fields): LastUsage | undefined {
  const { last_token_usage: last, model_context_window: window } = fieldsOf(fieldsOf(payload)['info']);
  const usage = readUsage(last);
  return usage && { tokens: usage.inputTokens + usage.outputTokens, window: positive(window) };
}
