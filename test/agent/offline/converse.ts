import type { ModelReply } from '../../../src/agent/model/chat-model.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import type { AgentTool } from '../../../src/agent/tools/support/tool.ts';
import type { ChatMessage } from '../../../src/compaction/messages/message.ts';

const signal = new AbortController().signal;

export interface Conversation {
  readonly answer: string;
  /** Names of the tools that were called, step by step. */
  readonly steps: readonly (readonly string[])[];
  readonly messages: readonly ChatMessage[];
}

/** Plays a turn like the agent: runs real calls until the model answers. */
export async function converse(
  question: string | readonly ChatMessage[],
  tools: readonly AgentTool[],
): Promise<Conversation> {
  const messages: ChatMessage[] =
    typeof question === 'string' ? [{ role: 'user', content: question }] : [...question];
  const steps: (readonly string[])[] = [];
  for (;;) {
    const reply = await replyTo(messages, tools);
    if (reply.toolCalls.length === 0) return { answer: reply.content, steps, messages };
    steps.push(reply.toolCalls.map((call) => call.function.name));
    messages.push({ role: 'assistant', content: null, tool_calls: reply.toolCalls });
    for (const call of reply.toolCalls) {
      const tool = tools.find(({ name }) => name === call.function.name);
      if (tool === undefined || !('run' in tool))
        throw new Error(`${call.function.name} is not for looking up.`);
      const result = await tool.run(JSON.parse(call.function.arguments) as Record<string, unknown>, signal);
      messages.push({ role: 'tool', tool_call_id: call.id, content: result.content });
    }
  }
}

async function replyTo(messages: readonly ChatMessage[], tools: readonly AgentTool[]): Promise<ModelReply> {
  const schemas = tools.map(({ schema }) => schema);
  for await (const event of new OfflineModel().stream({ messages, tools: schemas }, signal)) {
    if (event.type === 'end') return event.reply;
  }
  throw new Error('The stream has no end.');
}
