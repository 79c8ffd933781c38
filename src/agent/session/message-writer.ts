import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import { noSession } from '../../compaction/quoting/session-tags.ts';
import { sum } from '../../compaction/tokens/usage.ts';
import { emptyTranscript, messagesOf } from '../../compaction/transcript/transcript.ts';
import type { NextRequestPorts } from '../attachments/attachments.ts';
import { skillChanges } from '../memory/skill-messages.ts';
import type { Journal } from './journal.ts';
import type { Attach, SessionPorts } from './session-ports.ts';

/** Writes messages of a session that come neither from the model nor from tools. */
export class MessageWriter {
  private readonly journal: Journal;
  private readonly now: () => string;

  /** @param now returns the time in ISO 8601 */
  constructor(journal: Journal, now: () => string) {
    this.journal = journal;
    this.now = now;
  }

  /** Appends a prompt with its attachments: text that the user typed or, from `model`, the task of a sub-agent. */
  async appendPrompt(
    text: string,
    origin: 'person' | 'model',
    attach: Attach | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const id = this.journal.nextMessageId();
    const { problems: _problems, ...composed } = (await attach?.(text, id, signal)) ?? {
      content: text,
      problems: [],
    };
    await this.journal.append({
      type: 'message',
      message: { role: 'user', origin, ...composed, id, createdAt: this.now() },
    });
  }

  appendReminder(content: string): Promise<void> {
    return this.append({ role: 'user', origin: 'harness', kind: 'reminder', content });
  }

  append(message: Omit<Message, 'id' | 'createdAt'>): Promise<void> {
    const id = this.journal.nextMessageId();
    return this.journal.append({ type: 'message', message: { ...message, id, createdAt: this.now() } });
  }
}

type OpeningPorts = Pick<SessionPorts, 'systemPrompt' | 'memory' | 'skills'>;

/** Returns the messages before the next prompt: first the system prompt, later only new memory and skills. */
export async function openingMessages(
  { transcript, tagSuffix }: Pick<Journal, 'transcript' | 'tagSuffix'>,
  ports: OpeningPorts,
): Promise<readonly Omit<Message, 'id' | 'createdAt'>[]> {
  const said = messagesOf(transcript);
  // Imported on demand, so that activation does not load it.
  const { memoryChanges } = await import('../memory/memory-files.ts');
  const skills = skillChanges(transcript.view, (await ports.skills?.()) ?? []);
  const memory = [...memoryChanges(said, (await ports.memory?.()) ?? [], tagSuffix), ...skills];
  if (said.length > 0) return memory;
  return [{ role: 'system', origin: 'harness', content: ports.systemPrompt() }, ...memory];
}

/** Describes the first request without the user's message. @param compaction supplies the budget */
export function firstRequest(
  ports: OpeningPorts & Pick<SessionPorts, 'meter'>,
  schemas: () => Promise<readonly ToolSchema[]>,
  compaction: Pick<NextRequestPorts, 'budget'>,
): NextRequestPorts {
  const contents = async () => {
    const opening = await openingMessages({ transcript: emptyTranscript, tagSuffix: noSession }, ports);
    const view = opening.map((message, index) => ({ ...message, id: `m${index + 1}`, createdAt: '' }));
    return { view, tools: await schemas() };
  };
  return {
    contents,
    get budget() {
      return compaction.budget;
    },
    async size() {
      const { view, tools } = await contents();
      const { meter } = ports;
      const { total: tokens, byKind } = sum([await meter.measure(view), await meter.measureTools(tools)]);
      return { tokens, byKind };
    },
  };
}
