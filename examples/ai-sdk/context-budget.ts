/** Lets a conversation decide what each step of `generateText` or `streamText` sends. */
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, ToolResultPart } from 'ai';
import { type Conversation, type Message, type OpenaiInput, textOf } from 'context-budget/engine';

/** The messages of a step, as `prepareStep` gets them. */
interface Step {
  readonly initialMessages: readonly ModelMessage[];
  readonly responseMessages: readonly ModelMessage[];
}

/**
 * A `prepareStep` that compacts when the next step would be too large. The history stays whole: the AI SDK keeps it in
 * `initialMessages` and `responseMessages`, and every step is derived from all of it.
 */
export function prepareStepOf(conversation: Conversation) {
  return async ({ initialMessages, responseMessages }: Step): Promise<{ messages: ModelMessage[] }> => {
    const history = [...initialMessages, ...responseMessages];
    await conversation.follow(history.flatMap(toChat));
    return { messages: fromView(await conversation.fit(), conversation.history, history) };
  };
}

/** A message of the AI SDK as chat messages: one for each tool result, and one for anything else. */
function toChat(message: ModelMessage): OpenaiInput[] {
  switch (message.role) {
    case 'system':
      return [message];
    case 'user': {
      const { role, content } = message;
      return [
        { role, content: typeof content === 'string' ? content : content.map((part) => ({ ...part })) },
      ];
    }
    case 'assistant':
      return [assistantToChat(message)];
    case 'tool':
      return resultsOf(message).map(({ toolCallId, output }) => ({
        role: 'tool',
        tool_call_id: toolCallId,
        content: outputText(output),
      }));
  }
}

function assistantToChat({ role, content }: AssistantModelMessage): OpenaiInput {
  if (typeof content === 'string') return { role, content };
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const calls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.toolCallId,
            type: 'function',
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  );
  return { role, content: texts.length === 0 ? null : texts.join('\n'), tool_calls: calls };
}

function resultsOf({ content }: ToolModelMessage): ToolResultPart[] {
  return content.filter((part) => part.type === 'tool-result');
}

function outputText(output: ToolResultPart['output']): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  return JSON.stringify('value' in output ? output.value : output);
}

/** The view as messages of the AI SDK. What no compaction changed is the very message that was given. */
function fromView(
  view: readonly Message[],
  said: readonly Message[],
  history: readonly ModelMessage[],
): ModelMessage[] {
  const sources = history.flatMap((message) =>
    message.role === 'tool'
      ? resultsOf(message).map((part): ModelMessage => ({ ...message, content: [part] }))
      : [message],
  );
  const unchanged = new Map(said.map((message, index) => [message, sources[index]]));
  const names = new Map(
    view.flatMap(({ tool_calls: calls = [] }) =>
      calls.map(({ id, function: { name } }) => [id, name] as const),
    ),
  );
  return view.map((message) => unchanged.get(message) ?? fromChat(message, names));
}

function fromChat(message: Message, names: ReadonlyMap<string, string>): ModelMessage {
  const text = textOf(message.content);
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: text };
    case 'user':
      return { role: 'user', content: text };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
          ...(message.tool_calls ?? []).map(({ id, function: called }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: called.name,
            input: JSON.parse(called.arguments) as unknown,
          })),
        ],
      };
    case 'tool': {
      const toolCallId = message.tool_call_id ?? '';
      const toolName = names.get(toolCallId) ?? '';
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } }],
      };
    }
  }
}
