/** A recipe of docs/architecture.md, followed with a sample. */
export interface Recipe {
  /** Heading in the document. */
  readonly title: string;
  /** Value of `<name>` in the paths of the document. */
  readonly name: string;
  /** Edits of each file, in the order of the steps: the whole text of a new file, otherwise replacements. */
  readonly edits: Readonly<Record<string, string | readonly Replacement[]>>;
  /** Tests that hold what was added to the rules of its kind. */
  readonly tests: readonly string[];
  /** A module in `src` that says what only the whole recipe lets it say, where types alone would not miss a step. */
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
    'src/language/english/strategies-english.ts': [
      [
        '  neverCompacts: ',
        "  sampleObjection: 'Nothing before the newest turn can be removed.',\n  sampleReason: 'before the newest turn',\n  neverCompacts: ",
      ],
    ],
  },
  tests: ['test/architecture/manifest.test.ts', 'test/language/translated/wording.test.ts'],
  use: `import type { StrategyId } from './compaction/strategies/index.ts';
export const chosen: StrategyId = 'newest-turn';
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
  title: 'Add a format',
  name: 'plain',
  edits: {
    'src/transcripts/formats/plain-format.ts': `import type { Origin } from '../../compaction/messages/message.ts';
import { type Draft, type Imported, toEntries, type TranscriptFormat } from '../reading/transcript-format.ts';

const opening = /^plain transcript\\r?\\n/u;

/** Lines that begin with \`user:\` or \`assistant:\`, after a first line that says \`plain transcript\`. */
export const plainFormat: TranscriptFormat = {
  id: 'plain',
  title: 'Plain transcript (text)',
  recognises: (text) => opening.test(text),
  parse,
};

function parse(text: string): Imported {
  const drafts: Draft[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split(/\\r?\\n/u).slice(1).entries()) {
    const [, role, content = ''] = /^(user|assistant): (.+)$/u.exec(line) ?? [];
    if (role === 'user' || role === 'assistant') {
      const origin: Origin = role === 'user' ? 'person' : 'model';
      drafts.push({ chat: { role, content }, origin });
    } else if (line !== '') problems.push(\`Line \${index + 2}: expected a role.\`);
  }
  return { entries: toEntries(drafts), tools: [], compactions: [], problems };
}
`,
    'src/transcripts/import-transcript.ts': [
      [
        'import { sweAgentFormat }',
        "import { plainFormat } from './formats/plain-format.ts';\nimport { sweAgentFormat }",
      ],
      ['  aiderFormat,\n', '  aiderFormat,\n  plainFormat,\n'],
    ],
    'test/support/format-samples.ts': [
      [
        '  specstory,\n',
        "  plain: 'plain transcript\\nuser: a\\nassistant: b\\nuser: c\\nassistant: d\\n',\n  specstory,\n",
      ],
    ],
    'test/transcripts/import-transcript.test.ts': [["        'pi',\n", "        'pi',\n        'plain',\n"]],
  },
  tests: ['test/transcripts/malformed-files.test.ts', 'test/transcripts/import-transcript.test.ts'],
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
  },
  tests: ['test/agent/tools/line-count.test.ts', 'test/agent/tools/catalogue.test.ts'],
};

export const recipes: readonly Recipe[] = [strategy, setting, message, format, tool];
