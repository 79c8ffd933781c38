import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import vm from 'node:vm';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as esbuild from 'esbuild';
import ts from 'typescript';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importSize, statedImports } from '../../../scripts/build/library-sizes.ts';
import { projectFolder } from '../../../scripts/project.ts';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { runCommand } from '../../support/command-line.ts';
import { textOfTokens } from '../../support/messages.ts';
import { consumerCode } from './consumer-code.ts';
import { examplesFolder, installExamples, run } from './installed-examples.ts';
import { scriptedAgent, type ScriptedAgent, type SentMessage } from './scripted-agent.ts';

const installedLibrary = join(examplesFolder, 'node_modules', 'context-budget');

let emptyProject: string;
beforeAll(async () => {
  emptyProject = await installExamples();
  return () => rm(emptyProject, { recursive: true });
}, 300_000);

describe('the npm package', () => {
  it("contains the library, the command line and npm's own files, but no part of the extension", async () => {
    expect((await readdir(installedLibrary)).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'docs',
      'package.json',
    ]);
    expect((await readdir(join(installedLibrary, 'dist'))).toSorted()).toEqual(['command', 'library']);
  });

  it('adds no files to the .vsix', async () => {
    const list = (await readFile(join(projectFolder, '.vscodeignore'), 'utf8')).split('\n');
    const named = list.filter((line) => /^!(?:dist|examples|\*)/.test(line));
    expect(named).toEqual(['!dist/*', '!dist/webview/**']);
  });

  it('contains a library that imports only its own modules', async () => {
    const library = join(installedLibrary, 'dist', 'library');
    const modules = (await readdir(library, { recursive: true })).filter((name) =>
      /\.(?:js|d\.ts)$/.test(name),
    );
    const foreign: string[] = [];
    for (const name of modules) {
      const { importedFiles } = ts.preProcessFile(await readFile(join(library, name), 'utf8'));
      foreign.push(
        ...importedFiles
          .filter(({ fileName }) => !fileName.startsWith('.'))
          .map(({ fileName }) => `${name}: ${fileName}`),
      );
    }
    expect(modules.length).toBeGreaterThan(100);
    expect(foreign).toEqual([]);
  });

  it('runs without the interfaces of Node or a browser', async () => {
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: "export { Conversation, toolResultHiding } from 'context-budget/engine'",
        resolveDir: examplesFolder,
      },
      bundle: true,
      format: 'iife',
      globalName: 'engine',
      platform: 'neutral',
      write: false,
    });
    const code = `${outputFiles[0]!.text}
      const counter = { count: (texts) => Promise.resolve(texts.map(({ length }) => length)) };
      const { Conversation, toolResultHiding } = engine;
      const conversation = new Conversation({ strategy: toolResultHiding, budget: { window: 50_000 }, counter });
      const work = async () => {
        for (let index = 0; index < 12; index++) {
          const call = { id: 'call' + index, type: 'function', function: { name: 'read', arguments: '{}' } };
          await conversation.append(
            { role: 'user', content: 'Read it.' },
            { role: 'assistant', content: null, tool_calls: [call] },
            { role: 'tool', tool_call_id: call.id, content: 'a line\\n'.repeat(800) },
          );
          await conversation.fit();
        }
        return conversation.records.map(({ status }) => status).join();
      };
      work();`;
    const statuses: unknown = await vm.runInNewContext(code, {});
    expect(statuses).toMatch(/^applied/);
  });

  it.each(['NodeNext', 'Bundler'] as const)(
    'contains types for programs with moduleResolution %s',
    async (resolution) => {
      const consumer = join(examplesFolder, 'consumer.ts');
      await writeFile(consumer, consumerCode);
      const isNode = resolution === 'NodeNext';
      const program = ts.createProgram([consumer], {
        module: isNode ? ts.ModuleKind.NodeNext : ts.ModuleKind.ESNext,
        moduleResolution: isNode ? ts.ModuleResolutionKind.NodeNext : ts.ModuleResolutionKind.Bundler,
        target: ts.ScriptTarget.ES2022,
        lib: ['lib.es2023.d.ts'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
      });
      const host = {
        getCanonicalFileName: (name: string) => name,
        getCurrentDirectory: () => examplesFolder,
        getNewLine: () => '\n',
      };
      expect(ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host)).toBe('');
      expect(program.getSourceFiles().some(({ fileName }) => fileName.endsWith('library/engine.d.ts'))).toBe(
        true,
      );
    },
  );

  it('is bundled without unused parts', async () => {
    const sizeOf = async (name: keyof typeof statedImports) => (await importSize(statedImports[name])).atOnce;
    const conversation = await sizeOf('Conversation with toolResultHiding');
    expect(await sizeOf('countTokens')).toBeLessThan(conversation / 5);
    expect(await sizeOf('one strategy, such as toolResultHiding')).toBeLessThan(conversation / 2);
    expect(await sizeOf('everything in engine')).toBeGreaterThan(conversation);
  });

  it('has the sizes stated in the documentation, give or take a third', async () => {
    const text = (await readFile(join(projectFolder, 'docs', 'library.md'), 'utf8')).replaceAll('`', '');
    const statedLater = Number(/up to (\d+) kB more/u.exec(text)?.[1]) * 1_000;
    for (const [name, code] of Object.entries(statedImports)) {
      const row = text.split('\n').find((line) => line.startsWith(`| ${name} `));
      const stated = [...(row ?? '').matchAll(/\| *(\d+) kB/g)].map(([, number]) => Number(number) * 1_000);
      const { atOnce, compressed, later } = await importSize(code);
      expect(stated, name).toHaveLength(2);
      expect(atOnce, name).toBeLessThanOrEqual(stated[0]!);
      expect(compressed, name).toBeLessThanOrEqual(stated[1]!);
      expect(later, name).toBeLessThanOrEqual(statedLater);
      expect(atOnce, name).toBeGreaterThan(stated[0]! / 3);
    }
  });
});

/** This version of Node, and another installed one. */
const nodes = await installedNodes();

describe.each(nodes)('the command line in an empty project, with Node %s', (version, node) => {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` };
  const npx = async (...commandArguments: readonly string[]) =>
    (await run('npx', commandArguments, { cwd: emptyProject, env })).stdout;
  const sample = join(projectFolder, 'samples', 'sessions', 'questions.jsonl');

  it('lists strategies and counts a session', async () => {
    expect((await npx('-c', 'node --version')).trim()).toBe(version);
    const listed = JSON.parse(await npx('context-budget', 'strategies', '--json')) as readonly object[];
    expect(listed).toContainEqual(expect.objectContaining({ id: 'tool-result-hiding' }));
    const { out } = await runCommand('count', sample, '--json');
    expect((await npx('context-budget', 'count', sample, '--json')).trim()).toBe(out);
  });

  it('serves the tools of other agents', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = { command: 'npx', args: ['context-budget', 'mcp'], cwd: emptyProject, env };
    await client.connect(new StdioClientTransport(transport));
    try {
      const { version: packed } = JSON.parse(
        await readFile(join(installedLibrary, 'package.json'), 'utf8'),
      ) as { readonly version: string };
      expect(client.getServerVersion()).toMatchObject({ version: packed });
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    } finally {
      await client.close();
    }
  });
});

/** Versions and paths of the programs named `node` on the path, the first of each version. */
async function installedNodes(): Promise<readonly (readonly [version: string, node: string])[]> {
  const found = new Map([[process.version, process.execPath]]);
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    const version = await run(node, ['--version']).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
    if (version !== undefined && !found.has(version)) found.set(version, node);
  }
  return [...found];
}

describe('the examples', () => {
  const files = 10;
  const question = 'Which file names the release?';
  const answer = 'The eighth file names the release.';
  let server: ScriptedAgent;
  let folder: string;
  beforeEach(async () => {
    server = await scriptedAgent(files, answer);
    folder = join(examplesFolder, 'files');
    await mkdir(folder, { recursive: true });
    for (let number = 1; number <= files; number++) {
      await writeFile(join(folder, `part-${number}.txt`), `Part ${number}: ${textOfTokens(900)}`);
    }
  });
  afterEach(async () => {
    await server.close();
    await rm(join(examplesFolder, 'openai', 'chat.jsonl'), { force: true });
  });

  /** Runs the program of an example. @returns what it printed, a line each */
  const start = async (
    example: string,
    ...programArguments: readonly string[]
  ): Promise<readonly string[]> => {
    const cwd = join(examplesFolder, example);
    const connection = {
      OPENAI_BASE_URL: `${server.origin}/v1`,
      OPENAI_API_KEY: 'none',
      OPENAI_MODEL: 'scripted',
    };
    const { stdout } = await run(process.execPath, ['main.ts', ...programArguments], {
      cwd,
      env: { ...process.env, ...connection, FOLDER: folder },
    });
    return stdout.trim().split('\n');
  };
  const results = (messages: readonly SentMessage[]) => messages.filter(({ role }) => role === 'tool');
  const isWhole = ({ content }: SentMessage) => JSON.stringify(content).includes('one two three');

  it('match the types of the real packages', async () => {
    const tsc = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc');
    const typeRoots = join(projectFolder, 'node_modules', '@types');
    const check = (folder: string) =>
      run(process.execPath, [tsc, '-p', folder, '--noEmit', '--typeRoots', typeRoots]).catch(
        (error: unknown) => error,
      );
    const checks = [check(examplesFolder), check(join(examplesFolder, 'strategy-extension'))];
    expect(
      (await Promise.all(checks)).map((outcome) => (outcome as { readonly stdout: string }).stdout),
    ).toEqual(['', '']);
  });

  it('in the documentation also match the types of the real packages', async () => {
    const text = await readFile(join(projectFolder, 'docs', 'library.md'), 'utf8');
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gmsu)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThan(2);
    // The program around the blocks.
    const around = { client: "import('openai').OpenAI", model: 'string', path: 'string' };
    const files = blocks.map((code, index) => {
      const missing = Object.entries(around).filter(([name]) => !code.includes(`const ${name}`));
      const declared = missing.map(([name, type]) => `declare const ${name}: ${type};\n`);
      const imports = "import { readFile, writeFile } from 'node:fs/promises';\n";
      return {
        path: join(examplesFolder, `documented-${index}.ts`),
        code: imports + declared.join('') + code,
      };
    });
    for (const { path, code } of files) await writeFile(path, code);
    const program = ts.createProgram(
      files.map(({ path }) => path),
      {
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        types: ['node'],
        typeRoots: [join(projectFolder, 'node_modules', '@types')],
        skipLibCheck: true,
        strict: true,
        noEmit: true,
      },
    );
    const messages = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
    for (const { path } of files) await rm(path);
    expect(messages).toEqual([]);
  });

  it.each(['openai', 'ai-sdk', 'langchain'])(
    'compact during a run, and undo the compaction: %s',
    async (example) => {
      const printed = await start(example, question);

      // Every request contains the question and a result for each call, and fits.
      expect(server.sent).toHaveLength(files + 1);
      for (const [index, messages] of server.sent.entries()) {
        expect(JSON.stringify(messages)).toContain(question);
        const calls = messages.flatMap(({ tool_calls: made = [] }) => made.map(({ id }) => id));
        expect(results(messages).map((message) => message.tool_call_id)).toEqual(calls);
        expect(calls).toHaveLength(index);
      }
      const last = results(server.sent.at(-1)!);
      expect(last.filter(isWhole).length).toBeLessThan(files);
      expect(last.filter(isWhole).length).toBeGreaterThan(0);
      expect(isWhole(last[0]!)).toBe(false);

      expect(printed[0]).toBe(answer);
      expect(printed.filter((line) => /^c\d+\b.*→/.test(line)).length).toBeGreaterThan(0);

      // Omitted messages are in the file, and in the next request after the undo.
      if (example === 'openai') {
        expect((await start(example, '--diff', 'c1')).join('\n')).toMatch(
          /^hide m3: .*\n {2}- Part 1: one two/m,
        );
        await start(example, '--undo', 'c1');
      }
      const file = await readFile(join(examplesFolder, example, 'chat.jsonl'), 'utf8');
      const { transcript, problems } = importTranscript(file);
      expect(problems).toEqual([]);
      const said = messagesOf(transcript).filter(({ role }) => role === 'tool');
      expect(said).toHaveLength(files);
      expect(transcript.view.find(({ role }) => role === 'tool')).toEqual(said[0]);
    },
  );

  it('continue the conversation of the last run (openai)', async () => {
    await start('openai', question);
    await server.close();
    server = await scriptedAgent(0, 'Nothing more.');
    expect((await start('openai', 'What else?'))[0]).toBe('Nothing more.');
    const [request] = server.sent;
    expect(request?.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      question,
      'What else?',
    ]);
  });
});
