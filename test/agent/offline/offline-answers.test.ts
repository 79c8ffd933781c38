import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { continueText } from '../../../src/agent/session/system-prompt.ts';
import { createTools } from '../../../src/agent/tools/catalogue.ts';
import type { Tool } from '../../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import type { ChatMessage } from '../../../src/compaction/messages/message.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { summaryText } from '../../../src/compaction/summary/summary-form.ts';
import { converse, type Conversation } from './converse.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const project = {
  'README.md': '# Lockbox\n\nA small library that guards files with locks.\n\n## Use\n\nCall `acquire`.\n',
  'package.json': '{ "name": "lockbox" }\n',
  'src/file-lock.ts': [
    "import { open } from 'node:fs/promises';",
    '',
    '/**',
    ' * Guards a file: whoever holds the lock may write.',
    ' */',
    'export class FileLock {',
    '  private handle: unknown;',
    '',
    '  async acquire(path: string): Promise<void> {',
    "    this.handle = await open(path, 'wx');",
    '  }',
    '}',
    '',
    'export const retryDelay = 250;',
    '',
  ].join('\n'),
  'src/use.ts': "import { FileLock } from './file-lock.ts';\n\nexport const lock = new FileLock();\n",
  'test/file-lock.test.ts': "import { FileLock } from '../src/file-lock.ts';\n\nnew FileLock();\n",
  'docs/设计.md': '# 设计\n\n## 存储\n\n会话保存在 JSONL 文件里，每一行一条记录。\n',
};

async function ask(
  question: string | readonly ChatMessage[],
  files: Readonly<Record<string, string>> = project,
): Promise<Conversation> {
  await using workspace = await TemporaryWorkspace.create(files);
  return await converse(question, toolsOf(workspace.path));
}

const toolsOf = (...folders: readonly string[]) =>
  createTools({
    workspace: new Workspace(folders),
    ripgrepPath: rgPath,
    recall: (id) => (id === 'm12' ? 'the original text' : undefined),
  });

describe('a question about the workspace', () => {
  it('is answered with a quotation from a file that is searched and read', async () => {
    const { answer, steps } = await ask('How does the FileLock guard a file?');
    expect(steps[0]).toContain('search_text');
    expect(steps[0]?.length).toBeGreaterThan(1);
    expect(steps[1]).toContain('read_file');
    expect(answer).toContain('`src/file-lock.ts:3-');
    expect(answer).toContain('Guards a file: whoever holds the lock may write.\n');
  });

  it('names the searched words and the source', async () => {
    const { answer } = await ask('Where is `retryDelay` set?');
    expect(answer).toMatch(/^I searched for `retryDelay`/);
    expect(answer).toContain('src/');
  });

  it('is answered with the definition before its uses and tests', async () => {
    const { answer } = await ask('Where is FileLock defined?');
    const places = [...answer.matchAll(/^`(.+?):\d+/gm)].map((match) => match[1]);
    expect(places[0]).toBe('src/file-lock.ts');
    expect(places.indexOf('src/use.ts')).toBeLessThan(places.indexOf('test/file-lock.test.ts'));
  });

  it('can be asked in Chinese', async () => {
    const { answer } = await ask('会话保存在哪里？');
    expect(answer).toContain('`docs/设计.md:3-5`');
    expect(answer).toContain('会话保存在 JSONL 文件里');
  });

  it('gets at most three quotes of twelve lines', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        `src/part${index}.ts`,
        `/** The widget. */\nexport function widget${index}() {\n${'  widget();\n'.repeat(40)}}\n`,
      ]),
    );
    const { answer } = await ask('How does the widget work?', files);
    const quotes = [...answer.matchAll(/```ts\n([\s\S]*?)\n```/g)].map(
      (match) => match[1]?.split('\n').length,
    );
    expect(quotes).toHaveLength(3);
    for (const lines of quotes) expect(lines).toBeLessThanOrEqual(12);
    expect(answer).toContain('Also in ');
  });

  it('leads to a search for parts of a name that is not found', async () => {
    const { answer, steps } = await ask('Where is the LockAcquirer?');
    expect(steps).toHaveLength(3);
    expect(answer).toContain('src/file-lock.ts');
  });

  it('is answered with suggestions if nothing matches', async () => {
    const { answer, steps } = await ask('Where is the frobnicator?');
    expect(steps.length).toBeLessThanOrEqual(4);
    expect(answer).toContain('I searched for `frobnicator` and found nothing.');
    expect(answer).toContain('Try ');
    expect(answer).toContain('src/');
  });

  it('is answered in at most four steps, whatever the tools return', async () => {
    const useless: readonly Tool[] = toolsOf('/nowhere').map((tool) => ({
      ...tool,
      run: () => Promise.resolve({ content: 'a.ts:1: FileLock', isError: false }),
    }));
    for (const question of [
      'FileLock?',
      'read a.ts',
      'list the files',
      'What is in this project?',
      'recall m1',
    ]) {
      const { steps, answer } = await converse(question, useless);
      expect(steps.length).toBeLessThanOrEqual(4);
      expect(answer).not.toBe('');
    }
  });

  it('is answered with the beginning of a named file if nothing matches', async () => {
    const { answer } = await ask('Does src/use.ts mention zebras?');
    expect(answer).toContain('`src/use.ts:1');
  });

  it('is answered with the name of a file that is missing', async () => {
    const { answer } = await ask('How does src/nothing.ts use FileLock?');
    expect(answer).toContain('There is no file `src/nothing.ts`.');
    expect(answer).toContain('src/file-lock.ts');
  });
});

describe('a plain request', () => {
  it('to read a file shows it', async () => {
    const { answer, steps } = await ask('read src/file-lock.ts');
    expect(steps).toEqual([['read_file', 'find_files']]);
    expect(answer).toContain('`src/file-lock.ts:1-14`');
    expect(answer).toContain('export class FileLock {');
  });

  it('to read a file by its name finds it first', async () => {
    const { answer } = await ask('Show me file-lock.ts');
    expect(answer).toContain('`src/file-lock.ts:1-14`');
  });

  it('to read some lines shows these lines', async () => {
    const { answer } = await ask('read src/file-lock.ts:6-7');
    expect(answer).toContain(
      '`src/file-lock.ts:6-7`\n\n```ts\nexport class FileLock {\n  private handle: unknown;\n```',
    );
    expect(answer).toContain('The file has 14 lines.');
  });

  it('to read a directory lists it', async () => {
    expect((await ask('read src/')).answer).toContain('file-lock.ts  ');
  });

  it('to read a missing file is answered with its name', async () => {
    const { answer } = await ask('read src/nothing.ts');
    expect(answer).toContain('found nothing');
    expect(answer).toContain('does not exist');
  });

  it('to list files lists them', async () => {
    expect((await ask('list the files')).answer).toContain('docs/\nsrc/\ntest/\nREADME.md');
    expect((await ask('list the files in src')).answer).toContain('use.ts');
    expect((await ask('list all *.ts files')).answer).toContain(
      'src/file-lock.ts\nsrc/use.ts\ntest/file-lock.test.ts',
    );
  });

  it('for an overview quotes the README and lists the top folder', async () => {
    const { answer } = await ask('What is in this project?');
    expect(answer).toContain('A small library that guards files with locks.');
    expect(answer).toContain('package.json');
  });

  it('to recall something hidden recalls it', async () => {
    const { answer, steps } = await ask('recall m12');
    expect(steps).toEqual([['recall']]);
    expect(answer).toContain('the original text');
  });

  it('with the id of a placeholder recalls it', async () => {
    const placeholder = '[Result of read_file hidden: 900 tokens. recall("m12") returns it.]';
    const { answer } = await ask([
      { role: 'user', content: 'Where is it?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: placeholder },
      { role: 'assistant', content: 'There.' },
      { role: 'user', content: 'What was in m12?' },
    ]);
    expect(answer).toContain('the original text');
  });
});

describe('small talk', () => {
  it.each(['hi', '你好', 'thanks!', 'What can you do?'])('is answered without a tool: %s', async (text) => {
    const { answer, steps } = await ask(text);
    expect(steps).toEqual([]);
    expect(answer).toContain('This is the offline model.');
    expect(answer).toContain('Context Budget: Set API Key');
  });
});

describe('the earlier conversation', () => {
  it('can end with a message of the program in the user role', async () => {
    const { answer } = await ask([
      { role: 'user', content: 'Where is FileLock defined?' },
      { role: 'user', content: summaryText('notes', noSession) },
      { role: 'assistant', content: 'I searched' },
      { role: 'user', content: continueText },
    ]);
    expect(answer).toMatch(/^I searched for `FileLock`/);
  });

  it('can lack results of this turn that a compaction hid', async () => {
    await using workspace = await TemporaryWorkspace.create(project);
    const tools = toolsOf(workspace.path);
    const { messages } = await converse('Where is FileLock defined?', tools);
    const hidden = messages.map((message, index) =>
      message.role === 'tool'
        ? { ...message, content: `[Result of tool hidden: 900 tokens. recall("m${index}") returns it.]` }
        : message,
    );
    const { answer, steps } = await converse(hidden, tools);
    expect(steps.length).toBeLessThanOrEqual(2);
    expect(answer).toMatch(/^I searched for `FileLock`/);
  });

  it('can be empty', async () => {
    expect((await ask([])).answer).toContain('This is the offline model.');
  });
});

describe('if tools are missing', () => {
  it('the offline model explains that it cannot search', async () => {
    const { answer } = await converse('Where is FileLock?', createTools({ recall: () => undefined }));
    expect(answer).toContain('no folder is open, or it is not trusted');
  });

  it('the offline model quotes the search result if it cannot read', async () => {
    await using workspace = await TemporaryWorkspace.create(project);
    const tools = toolsOf(workspace.path).filter(({ name }) => name === 'search_text');
    expect((await converse('Where is FileLock defined?', tools)).answer).toContain('export class FileLock {');
  });
});
