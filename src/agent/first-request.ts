import { noSession } from '../compaction/quoting/mark.ts';
import { emptyTranscript, messagesOf } from '../compaction/transcript.ts';
import type { Journal } from './journal.ts';
import type { Message } from '../compaction/message.ts';
import { sum } from '../compaction/tokens/usage.ts';
import type { NextRequestPorts } from './attachments/attachments.ts';
import type { SessionPorts } from './session-ports.ts';
import { skillChanges } from './memory/skill-messages.ts';
import type { AgentTool } from './tools/support/tool.ts';

/** What the host says to the agent before a person speaks. */
type OpeningPorts = Pick<SessionPorts, 'systemPrompt' | 'memory' | 'skills'>;

/**
 * What has to be said before the next message: at first how to work, and whatever the files for agents say that was
 * not said yet.
 *
 * @param chat of which what was summarised is not said anew, but the list of skills is always in view
 */
export async function openingMessages(
  { transcript, mark }: Pick<Journal, 'transcript' | 'mark'>,
  ports: OpeningPorts,
): Promise<readonly Omit<Message, 'id' | 'createdAt'>[]> {
  const said = messagesOf(transcript);
  // Only now, so that activation does not read it.
  const { memoryChanges } = await import('./memory/memory-files.ts');
  const skills = skillChanges(transcript.view, (await ports.skills?.()) ?? []);
  const memory = [...memoryChanges(said, (await ports.memory?.()) ?? [], mark), ...skills];
  if (said.length > 0) return memory;
  return [{ role: 'system', origin: 'harness', content: ports.systemPrompt() }, ...memory];
}

/**
 * The first request of a chat before its message: all that the first turn brings along, of which nothing is said yet.
 *
 * @param compaction of the chat, for its budget
 */
export function firstRequest(
  ports: OpeningPorts & Pick<SessionPorts, 'meter'>,
  tools: () => Promise<readonly AgentTool[]>,
  compaction: Pick<NextRequestPorts, 'budget'>,
): NextRequestPorts {
  return {
    get budget() {
      return compaction.budget;
    },
    async usage() {
      const opening = await openingMessages({ transcript: emptyTranscript, mark: noSession }, ports);
      const messages = opening.map((message) => ({ ...message, id: '', createdAt: '' }));
      const schemas = (await tools()).map(({ schema }) => schema);
      return sum([await ports.meter.measure(messages), await ports.meter.measureTools(schemas)]);
    },
  };
}
