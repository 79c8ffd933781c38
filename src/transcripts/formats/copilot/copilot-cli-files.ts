import { isRecord } from '../../../language/is-record.ts';
import {
  type AgentFiles,
  anyName,
  chatSessionFile,
  filledText,
  firstText,
  firstTyped,
  headLinesOf,
  type LastUsage,
  lastUsageIn,
  objectLines,
  type SessionHead,
} from '../../reading/agent-files.ts';
import { type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
import { positive } from '../../reading/transcript-format.ts';
import { readJsonHead } from '../../reading/json-head.ts';
import { tokensAfter } from './copilot-conversation.ts';
import { isOfMainAgent } from './copilot-events-format.ts';

export const copilotCliFiles: AgentFiles = {
  /** Each session has a folder with events. Older versions wrote a file for each session, first in another form. */
  places: ({ home, environment }) => {
    const copilot = environment['COPILOT_HOME'] || `${home}/.copilot`;
    return [
      { folder: `${copilot}/session-state`, levels: [anyName, /^events\.jsonl$/] },
      { folder: `${copilot}/session-state`, levels: [/\.jsonl$/] },
      { folder: `${copilot}/history-session-state`, levels: [chatSessionFile] },
    ];
  },
  head: headOf,
  lastUsage: (tail) => {
    const lines = objectLines(tail).filter(isOfMainAgent);
    return lastUsageIn(lines, usageIn, isCompaction) ?? lastUsageIn(lines, countIn, isUncountedCompaction);
  },
};

/**
 * Reads the head from the events of Copilot CLI, which Copilot Chat also writes for hooks, or from the single object
 * of older versions.
 *
 * @param text the first characters of the file
 */
function headOf(text: string): SessionHead {
  const events = headLinesOf(text)
    .filter(({ type }) => typeof type === 'string')
    .filter(isOfMainAgent)
    .map(({ type, data }): Fields => ({ of: type, ...fieldsOf(data) }));
  if (events.length === 0) return chatMessagesHead(readJsonHead(text));
  const starts = events.filter(({ of }) => of === 'session.start' || of === 'session.resume');
  const asked = events.filter(({ of }) => of === 'user.message');
  const titled = events.findLast(({ of }) => of === 'session.title_changed');
  return {
    title: filledText(titled?.['title']) ?? firstTyped(asked.map(({ content }) => content)),
    workspace: firstText(starts.map(({ context }) => fieldsOf(context)['cwd'])),
    model: firstText(
      events
        .toReversed()
        .map(({ of, model, newModel, selectedModel }) =>
          of === 'assistant.message' ? model : (newModel ?? selectedModel),
        ),
    ),
  };
}

function chatMessagesHead(document: unknown): SessionHead {
  const messages = recordsIn(fieldsOf(document)['chatMessages']);
  const asked = messages.filter(({ role }) => role === 'user');
  return { title: firstTyped(asked.map(({ content }) => content)) };
}

function isCompaction({ type, data }: Fields): boolean {
  return type === 'session.compaction_complete' && isRecord(data) && data['success'] !== false;
}

function isUncountedCompaction(line: Fields): boolean {
  return isCompaction(line) && countIn(line) === undefined;
}

/** Reads the tokens of a request, or the tokens in context that the program reports while it works. */
function usageIn({ type, data }: Fields): LastUsage | undefined {
  if (!isRecord(data)) return undefined;
  if (type === 'session.usage_info') return contextIn(data);
  const usage =
    type === 'session.usage_record' ? data['usage'] : type === 'assistant.usage' ? data : undefined;
  const { inputTokens, outputTokens, model, maxPromptTokens } = fieldsOf(usage);
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  const window = positive(maxPromptTokens);
  return { tokens: inputTokens + outputTokens, model: filledText(model), window };
}

/** Reads the tokens in context as the program counts them at its exit and after a compaction. */
function countIn(line: Fields): LastUsage | undefined {
  const { type, data } = line;
  if (!isRecord(data)) return undefined;
  if (type === 'session.shutdown') return contextIn(data);
  if (!isCompaction(line)) return undefined;
  return contextIn({ ...data, currentTokens: tokensAfter(data) });
}

function contextIn({ currentTokens, tokenLimit }: Fields): LastUsage | undefined {
  if (typeof currentTokens !== 'number') return undefined;
  return { tokens: currentTokens, window: positive(tokenLimit) };
}
