/**
 * A small LangChain agent. It reads the files of a folder until its question is answered, in a window of 8,000 tokens,
 * and shows what was compacted on the way.
 *
 * Usage: node main.ts "QUESTION"
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ChatOpenAI } from '@langchain/openai';
import { Conversation, toolResultHiding } from 'context-budget/engine';
import { sessionText } from 'context-budget/formats';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { contextBudget } from './context-budget.ts';

const folder = process.env.FOLDER ?? '.';
const readFile = tool(({ name }) => readFileSync(join(folder, basename(name)), 'utf8'), {
  name: 'read_file',
  description: 'Reads a file of the folder.',
  schema: z.object({ name: z.string() }),
});

const conversation = new Conversation({ strategy: toolResultHiding, budget: { window: 8_000 } });
const agent = createAgent({
  // Its base URL and key are in OPENAI_BASE_URL and OPENAI_API_KEY.
  model: new ChatOpenAI({ model: process.env.OPENAI_MODEL ?? 'gpt-5-mini' }),
  tools: [readFile],
  middleware: [contextBudget(() => conversation)],
});

const question = process.argv[2] ?? 'What is in this folder?';
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] });
console.log(messages.at(-1)?.text);
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
