/**
 * A small agent on the `openai` package. It reads the files of a folder until its question is answered, in a window of
 * 8,000 tokens. The conversation is kept in `chat.jsonl`.
 *
 * Usage: node main.ts "QUESTION" | --diff ID | --undo ID
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Conversation, readUsage, textOf, toOpenai, toolResultHiding } from 'context-budget/engine';
import { readTranscript, sessionLine, sessionText } from 'context-budget/formats';
import OpenAI from 'openai';

const file = 'chat.jsonl';
const folder = process.env.FOLDER ?? '.';
const model = process.env.OPENAI_MODEL ?? 'gpt-5-mini';

const tools: OpenAI.ChatCompletionFunctionTool[] = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file of the folder.',
      parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  },
];

function readFile(argumentsJson: string): string {
  const { name } = JSON.parse(argumentsJson) as { name: string };
  return readFileSync(join(folder, basename(name)), 'utf8');
}

if (!existsSync(file)) {
  writeFileSync(file, sessionText({ id: 'chat', createdAt: new Date().toISOString(), tools }, []));
}
const conversation = new Conversation({
  strategy: toolResultHiding,
  budget: { window: 8_000 },
  tools,
  entries: readTranscript(readFileSync(file, 'utf8')).entries,
  onEntry: (entry) => appendFileSync(file, sessionLine(entry)),
});

async function ask(question: string): Promise<void> {
  const client = new OpenAI();
  await conversation.append({ role: 'user', content: question });
  for (;;) {
    const view = await conversation.fit();
    const completion = await client.chat.completions.create({ model, tools, messages: view.map(toOpenai) });
    const reply = completion.choices[0]!.message;
    await conversation.append(reply);
    const usage = readUsage(completion.usage);
    if (usage !== undefined) conversation.noteUsage(usage);
    if (reply.tool_calls === undefined) return console.log(reply.content);
    for (const call of reply.tool_calls) {
      if (call.type !== 'function') continue;
      const content = readFile(call.function.arguments);
      await conversation.append({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

function showDiff(id: string): void {
  for (const { action, sources, output } of conversation.diff(id)) {
    console.log(
      `${action.kind} ${action.sourceIds.join(', ')}: ${action.tokensBefore} → ${action.tokensAfter} tokens`,
    );
    if (output === undefined) continue;
    for (const source of sources) console.log(`  - ${textOf(source.content).slice(0, 60)}`);
    console.log(`  + ${textOf(output.content).slice(0, 60)}`);
  }
}

const [argument = '--list', id = ''] = process.argv.slice(2);
if (argument === '--diff') showDiff(id);
else if (argument === '--undo') await conversation.undo(id);
else if (argument !== '--list') await ask(argument);
for (const { id, status, before, after } of conversation.records) {
  console.log(`${id} ${status}: ${before.tokens} → ${after.tokens} tokens`);
}
console.log(`The next request has ${(await conversation.usage()).total} tokens.`);
