/** A middleware that lets a conversation decide what each model call of a LangChain agent sends. */
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { type Conversation, type Message, type OpenaiInput, textOf } from 'context-budget/engine';
import { createMiddleware } from 'langchain';

/**
 * Compacts before a model call that would be too large. The state of the agent keeps every message: only the request
 * is another one.
 *
 * @param conversationOf the conversation of a thread
 */
export function contextBudget(conversationOf: (threadId: string) => Conversation) {
  return createMiddleware({
    name: 'ContextBudget',
    wrapModelCall: async (request, handler) => {
      const { messages, runtime } = request;
      const conversation = conversationOf(runtime.configurable?.thread_id ?? '');
      await conversation.follow(messages.map(toChat));
      const view = await conversation.fit(runtime.signal);
      const unchanged = new Map(conversation.history.map((message, index) => [message, messages[index]]));
      return handler({
        ...request,
        messages: view.map((message) => unchanged.get(message) ?? fromChat(message)),
      });
    },
  });
}

function toChat(message: BaseMessage): OpenaiInput {
  const { content } = message;
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({
      id: id ?? '',
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    return { role: 'assistant', content, tool_calls: calls };
  }
  if (ToolMessage.isInstance(message)) return { role: 'tool', tool_call_id: message.tool_call_id, content };
  return { role: SystemMessage.isInstance(message) ? 'system' : 'user', content };
}

function fromChat(message: Message): BaseMessage {
  const content = textOf(message.content);
  switch (message.role) {
    case 'system':
    case 'developer':
      return new SystemMessage(content);
    case 'user':
      return new HumanMessage(content);
    case 'assistant':
      return new AIMessage({
        content,
        tool_calls: (message.tool_calls ?? []).map(({ id, function: called }) => ({
          id,
          name: called.name,
          args: JSON.parse(called.arguments) as Record<string, unknown>,
        })),
      });
    case 'tool':
      return new ToolMessage({ content, tool_call_id: message.tool_call_id ?? '' });
  }
}
