import { describe, expect, it } from 'vitest';
import { fromStrands } from '../../../scripts/bench-peers/engines/strands.ts';
import { fromAiSdk, toAiSdk } from '../../../scripts/bench-peers/shapes/ai-sdk-messages.ts';
import { fromBlocks, toBlocks } from '../../../scripts/bench-peers/shapes/block-messages.ts';
import { fromGemini, toGemini } from '../../../scripts/bench-peers/shapes/gemini-contents.ts';
import { fromLangChain, toLangChain } from '../../../scripts/bench-peers/shapes/langchain-messages.ts';
import type { ChatMessage, ToolCall } from '../../../src/compaction/messages/message.ts';

function call(id: string, name: string, input: string): ToolCall {
  return { id, type: 'function', function: { name, arguments: input } };
}

/** Two results of one step, text with a call, a call without arguments, arguments that are not JSON, no output. */
const conversation: readonly ChatMessage[] = [
  { role: 'user', content: 'Why does the build fail?' },
  {
    role: 'assistant',
    content: 'I look at both.',
    tool_calls: [call('a', 'read', '{"path":"src/a.ts"}'), call('b', 'shell', '{"command":"npm test"}')],
  },
  { role: 'tool', content: 'export const a = 1;\n', tool_call_id: 'a' },
  { role: 'tool', content: 'Error: no such script', tool_call_id: 'b' },
  { role: 'user', content: 'Go on.' },
  { role: 'assistant', content: '', tool_calls: [call('c', 'list', '{}')] },
  { role: 'tool', content: '', tool_call_id: 'c' },
  { role: 'assistant', content: '', tool_calls: [call('d', 'shell', '{"command": "npm')] },
  { role: 'tool', content: 'The arguments are no JSON.', tool_call_id: 'd' },
  { role: 'assistant', content: 'The script has no name.' },
];
const system: ChatMessage = { role: 'system', content: 'You are an agent.' };

describe('a conversation in the shape of', () => {
  it('LangChain comes back as it was', () => {
    const messages = [system, ...conversation];
    expect(fromLangChain(toLangChain(messages))).toEqual(messages);
  });

  it('the AI SDK and Mastra comes back as it was', () => {
    const messages = [system, ...conversation];
    expect(fromAiSdk(toAiSdk(messages))).toEqual(messages);
  });

  it('Cline comes back as it was', () => {
    expect(fromBlocks(toBlocks(conversation))).toEqual(conversation);
  });

  it('ADK and Gemini comes back as it was', () => {
    expect(fromGemini(toGemini(conversation))).toEqual(conversation);
  });
});

describe('results of one step', () => {
  it('are one message where a peer has them so, and name their tools', () => {
    const results = toAiSdk(conversation).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)[0]).toMatchObject([
      { toolCallId: 'a', toolName: 'read' },
      { toolCallId: 'b', toolName: 'shell' },
    ]);
    expect(toBlocks(conversation).map(({ content }) => content.length)).toEqual([1, 3, 2, 1, 1, 1, 1, 1, 1]);
    expect(toGemini(conversation)[2]?.parts?.map(({ functionResponse }) => functionResponse?.name)).toEqual([
      'read',
      'shell',
    ]);
  });
});

describe('what a peer added', () => {
  it('is part of the text it was added to', () => {
    const content = [
      { type: 'text', text: 'Go on.' },
      { type: 'text', text: 'Dropped: read src/a.ts' },
    ] as const;
    expect(fromBlocks([{ role: 'user', content }])).toEqual([
      { role: 'user', content: 'Go on.\nDropped: read src/a.ts' },
    ]);
  });

  it('counts where a content is plain text and where it is parts', () => {
    expect(fromBlocks([{ role: 'user', content: 'plain' }])).toEqual([{ role: 'user', content: 'plain' }]);
    expect(fromAiSdk([{ role: 'user', content: 'plain' }])).toEqual([{ role: 'user', content: 'plain' }]);
    const parts = [{ type: 'text', text: 'one' }, 'two'];
    expect(fromLangChain([{ type: 'human', content: parts }])).toEqual([
      { role: 'user', content: 'one\ntwo' },
    ]);
  });
});

it("Strands' blocks have other names for the same", () => {
  const content = [
    { type: 'textBlock', text: 'I look.' },
    { type: 'toolUseBlock', toolUseId: 'a', name: 'read', input: { path: 'src/a.ts' } },
    { type: 'reasoningBlock', text: 'not sent' },
  ];
  const results = [{ type: 'toolResultBlock', toolUseId: 'a', content: [{ text: 'one' }, { text: 'two' }] }];
  const messages = [
    fromStrands({ role: 'assistant', content }),
    fromStrands({ role: 'user', content: results }),
  ];
  expect(fromBlocks(messages)).toEqual([
    { role: 'assistant', content: 'I look.', tool_calls: [call('a', 'read', '{"path":"src/a.ts"}')] },
    { role: 'tool', content: 'one\ntwo', tool_call_id: 'a' },
  ]);
});
