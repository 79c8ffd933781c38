import { makePrivateFolder, privateFile } from '../files/private-files.ts';
import { readOrSetAside } from '../files/replace-file.ts';
import { appendFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { mostMemoryBytes, type PersonalMemory } from '../memory/memory-files.ts';
import { defineActingTool } from './support/define-tool.ts';
import { failed, ok, sizeInWords, type ActingTool, type ToolResult } from './support/tool.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { toModel } from '../../language/sentence.ts';

const longestNote = 500;
const date = /^- (?:\d{4}-\d{2}-\d{2}: )?/u;

/** @param memory file that is read at the beginning of every turn @param now milliseconds since 1970 */
export function createRemember(memory: PersonalMemory, now: () => number): ActingTool {
  return defineActingTool({
    name: 'remember',
    description:
      'Keeps one thing for all later conversations, in every workspace: a preference of the user, or a fact that was hard to find out and will not change. Use it when the user asks you to remember something, or corrects you in a way that will matter again. Never for what belongs to this task only, what files say anyway, or secrets.',
    properties: {
      text: {
        type: 'string',
        description: `One or two sentences that can be understood alone, at most ${longestNote} characters.`,
      },
    },
    required: ['text'],
    describe: ({ text = '' }) => text,
    async propose({ text }) {
      const note = text.replace(/\s+/gu, ' ').trim();
      if (note === '') return failed(toModel`There is nothing to remember: the text is empty.`);
      if (note.length > longestNote) {
        return failed(
          toModel`The text has ${note.length} characters, at most ${longestNote} are kept. Say it in fewer words.`,
        );
      }
      const line = `- ${new Date(now()).toISOString().slice(0, 10)}: ${note}\n`;
      const problem = await problemWith(line, memory);
      if (problem !== undefined) return problem;
      return {
        approval: {
          kind: 'memory',
          title: agentSentences.say('approvalRemember', { file: memory.shown }),
          details: note,
          patterns: ['remember'],
          rule: { kind: 'memory', pattern: 'remember' },
        },
        perform: async () => (await problemWith(line, memory)) ?? keep(line, memory),
      };
    },
  });
}

async function problemWith(line: string, memory: PersonalMemory): Promise<ToolResult | undefined> {
  const text = await textOf(memory);
  const known = new Set(text.split('\n').map(sense));
  if (known.has(sense(line))) return ok(`${memory.shown} says so already.`);
  const bytes = Buffer.byteLength(text) + Buffer.byteLength(line);
  if (bytes <= mostMemoryBytes) return undefined;
  return failed(
    agentSentences.say('memoryIsFull', { file: memory.shown, most: sizeInWords(mostMemoryBytes) }),
    toModel` The user has to remove something from it first.`,
  );
}

async function keep(line: string, memory: PersonalMemory): Promise<ToolResult> {
  const text = await textOf(memory);
  await makePrivateFolder(path.dirname(memory.path));
  const size = await sizeOf(memory);
  try {
    // A file that the user edited may end without a line feed.
    await appendFile(memory.path, text === '' || text.endsWith('\n') ? line : `\n${line}`, {
      mode: privateFile,
    });
  } catch (error) {
    // A full disk may have stored only part of the line.
    if ((await sizeOf(memory)) > size) await truncate(memory.path, size);
    throw error;
  }
  return ok(`Remembered in ${memory.shown}. It is in front of you from the next turn on.`);
}

/** Returns a note without its date, in lower case, for comparison. */
function sense(line: string): string {
  return line.replace(date, '').trim().toLowerCase();
}

async function sizeOf({ path: file }: PersonalMemory): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** @throws any read error, except if the file is missing */
async function textOf({ path: file }: PersonalMemory): Promise<string> {
  return (await readOrSetAside(file)) ?? '';
}
