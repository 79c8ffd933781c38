/** A recipe of docs/architecture.md, followed with a sample. */
export interface Recipe {
  /** Heading in the document. */
  readonly title: string;
  /** Value of `<name>` in the paths of the document. */
  readonly name: string;
  /** Edits of each file, in the order of the steps: the whole text of a new file, otherwise replacements. */
  readonly edits: Readonly<Record<string, string | readonly Replacement[]>>;
  /** Tests that apply the rules of its kind to the addition. */
  readonly tests: readonly string[];
  /** A module in `src` that only the whole recipe makes valid, if types alone would not report a step. */
  readonly use?: string;
}

type Replacement = readonly [place: string, replacement: string];

const strategy: Recipe = {
  title: 'Add a strategy',
  name: 'newest-turn',
  edits: {
    'src/compaction/strategies/newest-turn.ts': `import { strategySentences } from '../../language/english/strategies-english.ts';
import { turnsOf } from '../messages/exchange.ts';
import { removableMessages } from '../messages/protection.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

export const newestTurn = defineStrategy({
  id: 'newest-turn',
  description: 'Drops everything before the newest turn. Needs no model.',
  needsModel: false,
  options: {},
  async plan(input, { meter }) {
    const { view, protectedIds } = input;
    const start = turnsOf(view).at(-1)?.start ?? 0;
    const leaving = removableMessages(view.slice(0, start), protectedIds);
    if (leaving.length === 0) return unchanged(strategySentences.say('sampleObjection'));
    const working = new WorkingView(input, meter);
    await working.drop(
      leaving.map(({ id }) => id),
      strategySentences.say('sampleReason'),
    );
    return planned(working.plan());
  },
});
`,
    'src/compaction/strategies/index.ts': [
      ['import { none }', "import { newestTurn } from './newest-turn.ts';\nimport { none }"],
      ["  'llm-summary': llmSummary,\n", "  'newest-turn': newestTurn,\n  'llm-summary': llmSummary,\n"],
    ],
    'src/language/english/strategy-titles-english.ts': [
      [
        "  'llm-summary': 'LLM Summary',\n",
        "  'newest-turn': 'Newest Turn',\n  'llm-summary': 'LLM Summary',\n",
      ],
    ],
    'src/language/english/strategy-choice-english.ts': [
      [
        "  'llm-summary': 'One model call",
        "  'newest-turn': 'Keeps the newest turn',\n  'llm-summary': 'One model call",
      ],
    ],
    'src/presenters/settings/strategy-groups.ts': [
      [
        "  'llm-summary': 'withModel',\n",
        "  'newest-turn': 'withoutModel',\n  'llm-summary': 'withModel',\n",
      ],
    ],
    'src/language/english/strategies-english.ts': [
      [
        '  neverCompacts: ',
        "  sampleObjection: 'Nothing before the newest turn can be removed.',\n  sampleReason: 'before the newest turn',\n  neverCompacts: ",
      ],
    ],
    'docs/strategies.md': [
      [
        '### LLM Summary (`llm-summary`)\n',
        '### Newest Turn (`newest-turn`)\n\nKeeps the newest turn.\n\n### LLM Summary (`llm-summary`)\n',
      ],
    ],
  },
  tests: ['test/architecture/manifest.test.ts', 'test/language/translated/wording.test.ts'],
  use: `import type { StrategyId } from './compaction/strategies/index.ts';
import { strategyChoice } from './language/english/strategy-choice-english.ts';
export const chosen: StrategyId = 'newest-turn';
export const line = strategyChoice.say(chosen);
`,
};

const setting: Recipe = {
  title: 'Add a setting',
  name: '',
  edits: {
    'src/presenters/settings/general-settings.ts': [
      [
        "  memory: { type: 'boolean', default: true },\n",
        "  memory: { type: 'boolean', default: true },\n  longestTitle: { type: 'integer', default: 60, minimum: 10, maximum: 200 },\n",
      ],
    ],
    'src/presenters/settings/setting-texts.ts': [
      [
        '  memory: {\n',
        "  longestTitle: { markdownDescription: 'Controls how long the title of a chat may be, in characters.' },\n  memory: {\n",
      ],
    ],
    'src/presenters/settings/read-settings.ts': [
      ['  readonly memory: boolean;\n', '  readonly memory: boolean;\n  readonly longestTitle: number;\n'],
      [
        "    memory: read('memory'),\n",
        "    memory: read('memory'),\n    longestTitle: read('longestTitle'),\n",
      ],
    ],
  },
  tests: ['test/architecture/manifest.test.ts', 'test/presenters/settings/read-settings.test.ts'],
  use: `import type { Settings } from './presenters/settings/read-settings.ts';
export type LongestTitle = Settings['longestTitle'];
`,
};

const message: Recipe = {
  title: 'Add a webview message',
  name: '',
  edits: {
    'src/protocol/chat.ts': [
      ['  focus: {},\n', "  focus: {},\n  waved: { by: oneOf(['agent', 'host']) },\n"],
      ['  retry: {},\n', '  retry: {},\n  wave: { times: count },\n'],
    ],
    'src/extension/chat/chat-view.ts': [
      [
        '      retry: async () => {',
        "      wave: ({ times }) => {\n        if (times > 0) this.channel?.post({ type: 'waved', by: 'host' });\n        return Promise.resolve();\n      },\n      retry: async () => {",
      ],
    ],
    'webview/chat/chat-page.ts': [
      [
        '    focus: () => {',
        "    waved: ({ by }) => {\n      if (by === 'agent') this.host.post({ type: 'wave', times: 1 });\n    },\n    focus: () => {",
      ],
    ],
  },
  tests: ['test/protocol/messages.test.ts', 'test/protocol/requests.test.ts'],
};

const format: Recipe = {
  title: 'Add an agent',
  name: 'plain',
  edits: {
    'src/transcripts/formats/plain/plain-format.ts': `import type { Origin } from '../../../compaction/messages/message.ts';
import type { EventLines } from '../../reading/fields.ts';
import { lineFormat } from '../../reading/json-document.ts';
import { type Draft, type Imported, toEntries } from '../../reading/transcript-format.ts';

/** JSON lines with the words of the user or of the model in a field named after the role. */
export const plainFormat = lineFormat(
  {
    id: 'plain',
    title: 'Plain transcript (JSON lines)',
    recognises: (text) => text.startsWith('{"plain":'),
  },
  read,
);

function read({ events, problems }: EventLines): Imported {
  const drafts = events.flatMap(({ fields }): readonly Draft[] => {
    const { user, model } = fields;
    const [role, origin, content] = typeof user === 'string' ? roles.user(user) : roles.model(model);
    return content === undefined ? [] : [{ chat: { role, content }, origin }];
  });
  return { entries: toEntries(drafts), tools: [], compactions: [], problems };
}

type Said = readonly [role: 'user' | 'assistant', origin: Origin, content: string | undefined];

const roles = {
  user: (text: string): Said => ['user', 'person', text],
  model: (text: unknown): Said => ['assistant', 'model', typeof text === 'string' ? text : undefined],
};
`,
    'src/transcripts/formats/plain/plain-files.ts': `import { type AgentFiles, firstText, headLinesOf, lastUsageIn, objectLines } from '../../reading/agent-files.ts';

export const plainFiles: AgentFiles = {
  places: ({ home }) => [{ folder: \`\${home}/.plain\`, levels: [/\\.jsonl$/] }],
  head: (text) => ({ title: firstText(headLinesOf(text).map(({ user }) => user)) }),
  lastUsage: (tail) =>
    lastUsageIn(
      objectLines(tail),
      ({ tokens }) => (typeof tokens === 'number' ? { tokens } : undefined),
      () => false,
    ),
};
`,
    'src/transcripts/import-transcript.ts': [
      [
        'import { qwenCodeFormat }',
        "import { plainFormat } from './formats/plain/plain-format.ts';\nimport { qwenCodeFormat }",
      ],
      ['  piFormat,\n', '  piFormat,\n  plainFormat,\n'],
    ],
    'src/transcripts/found-agents.ts': [
      [
        'import { qwenCodeFiles }',
        "import { plainFiles } from './formats/plain/plain-files.ts';\nimport { qwenCodeFiles }",
      ],
      ['  pi: piFiles,\n', '  pi: piFiles,\n  plain: plainFiles,\n'],
    ],
    'src/language/agent-titles.ts': [["  pi: 'Pi',\n", "  pi: 'Pi',\n  plain: 'Plain',\n"]],
    'test/support/format-samples.ts': [
      [
        '  pi: pi(),\n',
        "  pi: pi(),\n  plain: lines({ plain: 1 }, { user: 'a' }, { model: 'b' }, { user: 'c' }),\n",
      ],
    ],
    'test/transcripts/import-transcript.test.ts': [["        'pi',\n", "        'pi',\n        'plain',\n"]],
    'test/transcripts/formats/plain/plain-format.test.ts': `import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SessionCatalogue } from '../../../../src/presenters/sessions/session-catalogue.ts';
import { followTranscript } from '../../../../src/transcripts/followed-transcript.ts';
import { lastUsage, sessionPlaces } from '../../../../src/transcripts/found-agents.ts';
import { conversationOf } from '../../../../src/transcripts/import-transcript.ts';

const session = '{"plain":1}\\n{"user":"Tidy up"}\\n{"model":"Done.","tokens":700}\\n';

it('is found in its folder, with its title', async () => {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  await mkdir(join(home, '.plain'));
  await writeFile(join(home, '.plain', 's1.jsonl'), session);
  const places = sessionPlaces({ home, platform: 'linux', environment: {} });
  const { signal } = new AbortController();
  const catalogue = new SessionCatalogue({ places, folders: [] });
  await catalogue.list(signal);
  await catalogue.readAll(signal);
  expect(await catalogue.all(signal)).toMatchObject([{ agent: 'plain', title: 'Tidy up' }]);
  await rm(home, { recursive: true });
});

it('is followed as it grows', () => {
  const followed = followTranscript();
  followed.append(session);
  followed.append('{"user":"Thanks"}\\n');
  const { view } = conversationOf(followed.read(), undefined).transcript;
  expect(view.map(({ content }) => content)).toEqual(['Tidy up', 'Done.', 'Thanks']);
});

it('is metered by the newest report', () => {
  expect(lastUsage('plain', session)).toEqual({ tokens: 700 });
});
`,
  },
  tests: [
    'test/transcripts/formats/plain/plain-format.test.ts',
    'test/transcripts/followed-transcript.test.ts',
    'test/transcripts/malformed-files.test.ts',
    'test/transcripts/import-transcript.test.ts',
  ],
  use: `import { agentTitles } from './language/agent-titles.ts';
import type { FoundAgent } from './transcripts/found-agents.ts';
export const titles: Readonly<Record<FoundAgent, string>> = agentTitles;
`,
};

const kind: Recipe = {
  title: 'Add a kind of message',
  name: '',
  edits: {
    'src/compaction/messages/message.ts': [
      ["  'file',\n]", "  'file',\n  'sample',\n]"],
      ["| 'skillMetadata' | 'file'", "| 'skillMetadata' | 'file' | 'sample'"],
    ],
    'src/compaction/tokens/usage.ts': [['  file: 0,\n', '  file: 0,\n  sample: 0,\n']],
    'src/compaction/budget/budget.ts': [
      ["  file: 'documents',\n", "  file: 'documents',\n  sample: 'documents',\n"],
    ],
    'src/language/english/host-english.ts': [
      ["  titleFile: 'Restored file',\n", "  titleFile: 'Restored file',\n  titleSample: 'Sample',\n"],
      ["  kindFile: 'Restored files',\n", "  kindFile: 'Restored files',\n  kindSample: 'Samples',\n"],
    ],
    'src/extension/window/status-item.ts': [
      [
        "    file: hostText('kindFile'),\n",
        "    file: hostText('kindFile'),\n    sample: hostText('kindSample'),\n",
      ],
    ],
    'src/presenters/inspector/message-view.ts': [
      [
        "  file: hostSentences.say('titleFile'),\n",
        "  file: hostSentences.say('titleFile'),\n  sample: hostSentences.say('titleSample'),\n",
      ],
    ],
    'src/language/english/both-pages-english.ts': [
      ["    file: 'Restored files',\n", "    file: 'Restored files',\n    sample: 'Samples',\n"],
    ],
    'webview/shared/kind-looks.ts': [
      ['  file: {\n', "  sample: { colour: 'var(--red)', pattern: dots(45, 8) },\n  file: {\n"],
    ],
    'webview/inspector/timeline/chart-drawing.ts': [
      ['  file: { size', "  sample: { size: 8, path: 'M3 4h2', width: 3 },\n  file: { size"],
    ],
  },
  tests: ['test/compaction/budget/budget.test.ts', 'test/compaction/tokens/usage.test.ts'],
  use: `import type { Kind } from './compaction/messages/message.ts';
import { bothPagesEnglish } from './language/english/both-pages-english.ts';
export const names: Readonly<Record<Kind, string>> = bothPagesEnglish.kinds;
`,
};

const cliCommand: Recipe = {
  title: 'Add a CLI command',
  name: 'lines',
  edits: {
    'src/cli/lines-command.ts': `import { readFile } from 'node:fs/promises';
import { type Command, readArguments, UsageError } from './command.ts';

export const linesCommand: Command = {
  name: 'lines',
  synopsis: 'FILE',
  summary: 'Counts the lines of a file.',
  async run(args, io) {
    const { files } = readArguments(args, {}, ['FILE']);
    const text = await readFile(files[0] ?? '', 'utf8').catch(() => {
      throw new UsageError('The file cannot be read.');
    });
    io.print(String(text.split('\\n').length));
    return 0;
  },
};
`,
    'src/cli/cli.ts': [
      ['import { strategies }', "import { linesCommand } from './lines-command.ts';\nimport { strategies }"],
      ['  countCommand,', '  countCommand,\n  linesCommand,'],
    ],
    'docs/cli.md': [
      [
        '### `import`\n',
        '### `lines`\n\nCounts the lines of a file.\n\n```sh\nnode dist/cli.js lines session.jsonl\n```\n\n### `import`\n',
      ],
    ],
    'test/cli/lines.test.ts': `import { expect, it } from 'vitest';
import { runCommand } from '../support/command-line.ts';

it('prints the number of lines', async () => {
  expect(await runCommand('lines', 'package.json')).toMatchObject({ code: 0, notes: [] });
});

it('exits with 2 and one line if the file does not exist', async () => {
  expect(await runCommand('lines', 'gone')).toMatchObject({ code: 2, notes: ['The file cannot be read.'] });
});

it('describes itself with --help', async () => {
  const { code, out } = await runCommand('lines', '--help');
  expect({ code, out }).toEqual({ code: 0, out: 'Usage: context-budget lines FILE\\nCounts the lines of a file.' });
});
`,
  },
  tests: ['test/cli/lines.test.ts', 'test/architecture/documents.test.ts'],
};

const tool: Recipe = {
  title: 'Add a tool',
  name: 'line-count',
  edits: {
    'src/agent/tools/line-count.ts': `import { readFile } from 'node:fs/promises';
import type { Workspace } from '../files/workspace.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { defineTool } from './support/define-tool.ts';
import { failed, fileProblem, ok, type Tool } from './support/tool.ts';

export function createLineCount(workspace: Workspace): Tool {
  return defineTool({
    name: 'line_count',
    description: 'Counts the lines of a text file of the workspace. Use it before you read a long file.',
    properties: { path: { type: 'string', description: 'Path of the file, relative to the workspace.' } },
    required: ['path'],
    describe: ({ path = '' }) => path,
    async run({ path }, signal) {
      const resolution = await workspace.resolve(path);
      if ('refusal' in resolution) return failed(resolution.refusal);
      try {
        const text = await readFile(resolution.place.path, 'utf8');
        throwIfCancelled(signal);
        return ok(\`\${resolution.place.shown} has \${text.split('\\n').length} lines.\`);
      } catch (error) {
        throwIfCancelled(signal);
        return fileProblem(error, resolution.place.shown);
      }
    },
  });
}
`,
    'src/agent/tools/catalogue.ts': [
      [
        'import { createListDirectory }',
        "import { createLineCount } from './line-count.ts';\nimport { createListDirectory }",
      ],
      [
        '    createListDirectory(workspace),\n',
        '    createListDirectory(workspace),\n    createLineCount(workspace),\n',
      ],
    ],
    'test/agent/tools/line-count.test.ts': `import { expect, it } from 'vitest';
import { createLineCount } from '../../../src/agent/tools/line-count.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from './temporary-workspace.ts';

it('counts lines', async () => {
  await using files = await TemporaryWorkspace.create({ 'a.txt': 'one\\ntwo' });
  const tool = createLineCount(new Workspace([files.path]));
  const { content } = await tool.run({ path: 'a.txt' }, new AbortController().signal);
  expect(content).toBe('a.txt has 2 lines.');
});
`,
    'test/agent/tools/catalogue.test.ts': [
      ["'read_file', 'list_directory', ", "'read_file', 'list_directory', 'line_count', "],
      ["      'list_directory',\n", "      'list_directory',\n      'line_count',\n"],
    ],
    'docs/agent.md': [['| `read_file`, `list_directory`,', '| `read_file`, `list_directory`, `line_count`,']],
  },
  tests: ['test/agent/tools/line-count.test.ts', 'test/agent/tools/catalogue.test.ts'],
};

export const recipes: readonly Recipe[] = [strategy, setting, message, format, tool, cliCommand, kind];
