/**
 * A small agent on the AI SDK. It reads the files of a folder until its question is answered, in a window of 8,000
 * tokens, and shows what was compacted on the way.
 *
 * Usage: node main.ts "QUESTION"
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, type ModelMessage, tool } from 'ai';
import { Conversation, toolResultHiding } from 'context-budget/engine';
import { sessionText } from 'context-budget/formats';
import { z } from 'zod';
import { prepareStepOf } from './context-budget.ts';

const provider = createOpenAICompatible({
  name: 'example',
  baseURL: process.env.OPENAI_BASE_URL ?? 'http://127.0.0.1:11434/v1',
  apiKey: process.env.OPENAI_API_KEY,
});
const model = provider(process.env.OPENAI_MODEL ?? 'qwen3');
const folder = process.env.FOLDER ?? '.';
const readFile = tool({
  description: 'Reads a file of the folder.',
  inputSchema: z.object({ name: z.string() }),
  execute: ({ name }) => readFileSync(join(folder, basename(name)), 'utf8'),
});

const conversation = new Conversation({ strategy: toolResultHiding, budget: { window: 8_000 } });
const messages: ModelMessage[] = [{ role: 'user', content: process.argv[2] ?? 'What is in this folder?' }];

/** Asks the model until it calls no tool. */
async function answer(): Promise<string> {
  const { text, responseMessages } = await generateText({
    model,
    messages,
    tools: { readFile },
    stopWhen: isStepCount(20),
    prepareStep: prepareStepOf(conversation),
  });
  messages.push(...responseMessages);
  return text;
}

console.log(await answer());
for (const { id, before, after } of conversation.records) {
  const changed = conversation.diff(id).filter(({ action }) => action.kind !== 'keep');
  console.log(`${id}: ${before.tokens} → ${after.tokens} tokens, ${changed.length} messages changed`);
}

// Nothing is lost: what the first compaction left out is in context again.
const [first] = conversation.records;
if (first !== undefined) await conversation.undo(first.id);
console.log(`After undoing it, the next request has ${(await conversation.usage()).total} tokens.`);
const createdAt = new Date().toISOString();
writeFileSync('chat.jsonl', sessionText({ id: 'chat', createdAt }, conversation.entries));
