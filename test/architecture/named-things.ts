import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../../scripts/project.ts';
import { createDelegate } from '../../src/agent/delegation/delegate-tool.ts';
import { allTools } from '../../src/agent/tools/catalogue.ts';
import { contextToolNames } from '../../src/bridge/server/tool-names.ts';
import { callToolName, findToolsName } from '../../src/compaction/ledger/called-function.ts';
import { commandNames, usageOf } from '../../src/presenters/chat/command-catalogue.ts';
import { isOldSetting } from '../../src/presenters/settings/old-settings.ts';
import { settingCategories } from '../../src/presenters/settings/configuration.ts';
import {
  section,
  strategySetting,
  type ValueSchema,
} from '../../src/presenters/settings/general-settings.ts';
import { cliCallsOn, cliTakes } from './cli-calls.ts';
import { type MarkdownPage, parsePage } from './markdown-page.ts';

/** A kind of thing that pages name, and a check that it exists. */
export interface NamedKind {
  readonly kind: string;
  /** Names of such things on a page, as written. */
  readonly namesOn: (page: MarkdownPage) => readonly string[];
  readonly exists: (name: string, page: MarkdownPage) => boolean | Promise<boolean>;
  /** A text with names of things that do not exist, and these names. */
  readonly wrong: { readonly path?: string; readonly text: string; readonly names: readonly string[] };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly chatParticipants: readonly { readonly commands: readonly { readonly name: string }[] }[];
  };
}

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
const { name: packageName, version, scripts, contributes } = JSON.parse(read('package.json')) as Manifest;
const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;

const settings: Readonly<Record<string, ValueSchema>> = Object.fromEntries(
  settingCategories.flatMap(({ properties }) => Object.entries(properties)),
);
const ids = new Set([
  ...Object.keys(settings),
  ...contributes.commands.map(({ command }) => command),
  ...contributes.languageModelTools.map(({ name }) => name),
  ...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id)),
]);

/** Names of all fields of settings, at every depth. */
const fieldNames = new Set(Object.values(settings).flatMap(namesWithin));

function namesWithin({ properties = {}, items, additionalProperties }: ValueSchema): readonly string[] {
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const nested = [...Object.values(properties), ...others, ...(items === undefined ? [] : [items])];
  return [...Object.keys(properties), ...nested.flatMap(namesWithin)];
}

/** Pages that name settings and their fields without the prefix. */
const settingPages = new Set(
  ['agent', 'chat', 'inspector', 'providers', 'strategies'].map((page) => `docs/${page}.md`),
);

const titles = new Set(contributes.commands.map(({ command }) => texts[`${command}.title`]));
const sentences = globSync('src/language/english/*-english.ts', { cwd: projectFolder }).map(read).join('\n');
/** Commands of the editor that pages name. */
const editorLabels: ReadonlySet<string> = new Set(['Manage Language Model Access…']);

/** The names of all tools that the agent can have. */
export const agentTools: ReadonlySet<string> = new Set([
  ...allTools.map(({ name }) => name),
  createDelegate([], () => Promise.reject(new Error('Only its name is read.'))).name,
  findToolsName,
  callToolName,
]);

/**
 * Names in the form of a tool's that belong to others: fields of requests, modules, spans, tools of other agents.
 */
const othersNames: ReadonlySet<string> = new Set(
  `cache_control execute_tool invoke_agent node_modules num_ctx reasoning_content string_decoder
  summarize_task model_auto_compact_token_limit model_context_window`.split(/\s+/),
);

const usages: ReadonlySet<string> = new Set(commandNames.flatMap((name) => [`/${name}`, usageOf(name)]));
const participantCommands: ReadonlySet<string> = new Set(
  contributes.chatParticipants.flatMap(({ commands }) => commands.map(({ name }) => `/${name}`)),
);
/** A command of Codex, an address of llama.cpp's server and a system folder. */
const othersSlashes: ReadonlySet<string> = new Set(['/hooks', '/props', '/run']);

const folders = 'docs|examples|media|samples|scripts|src|test|webview';
const pathPattern = new RegExp(`^(?:${folders})/[\\w./<>-]*$`, 'u');

/** The groups of each match, joined by dots. */
function found(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, ...groups]) => groups.filter(Boolean).join('.'));
}

export const namedKinds: readonly NamedKind[] = [
  {
    kind: 'settings, commands, views and tools of the editor by id',
    namesOn: ({ text }) => found(text, /\b(contextBudget[._][\w.<>-]*[\w>])/gu),
    exists: (name, { path }) =>
      ids.has(name) ||
      name === `${section}.${strategySetting('<id>')}` ||
      (path.startsWith('docs/decisions/') && isOldSetting(name.replace(`${section}.`, ''))),
    wrong: {
      text: 'Set `contextBudget.triggerTokens` for `contextBudget_forget`.',
      names: ['contextBudget.triggerTokens', 'contextBudget_forget'],
    },
  },
  {
    kind: 'fields of a setting',
    namesOn: ({ text }) => [
      ...found(text, /`contextBudget\.([\w.-]+)`,? ?\(?`(\w+)`[):]/gu),
      ...found(text, /"contextBudget\.([\w.-]+)": \{ "(\w+)"/gu),
      ...[...text.matchAll(/`(\w+)` in `#?contextBudget\.([\w.-]+?)#?`/gu)].map(
        ([, field, name]) => `${name}.${field}`,
      ),
    ],
    exists: (name) => {
      const { properties, additionalProperties } = settings[`${section}.${parentOf(name)}`] ?? {};
      return typeof additionalProperties === 'object' || Object.hasOwn(properties ?? {}, lastOf(name));
    },
    wrong: { text: 'Set `speed` in `contextBudget.triggers`.', names: ['triggers.speed'] },
  },
  {
    kind: 'settings and fields without the prefix',
    namesOn: ({ path, spans }) =>
      settingPages.has(path) ? spans.filter((span) => /^[a-z]+(?:[A-Z][a-z]+)+$/u.test(span)) : [],
    exists: (name) => fieldNames.has(name) || name === section || ids.has(`${section}.${name}`),
    wrong: { path: 'docs/agent.md', text: 'Turn off `preservePlans`.', names: ['preservePlans'] },
  },
  {
    kind: 'values of a setting',
    namesOn: ({ text }) => [
      ...found(text, /"contextBudget\.(\w+)": "([^"]*)"/gu),
      ...found(text, /`contextBudget\.(\w+)` (?:to|is) `([\w-]+)`/gu),
    ],
    exists: (name) => {
      const [setting = '', ...value] = name.split('.');
      return settings[`${section}.${setting}`]?.enum?.includes(value.join('.')) ?? true;
    },
    wrong: { text: 'Set `contextBudget.mode` to `never`.', names: ['mode.never'] },
  },
  {
    kind: 'commands by title',
    namesOn: ({ text }) => found(text, /\bContext Budget: ([^*_`"\n]+)/gu),
    exists: (name) => titles.has(name),
    wrong: { text: 'Run **Context Budget: Select Model**.', names: ['Select Model'] },
  },
  {
    kind: 'commands and buttons that ask further',
    namesOn: ({ labels }) => labels.filter((label) => label.endsWith('…') && !label.includes(':')),
    exists: (name) =>
      titles.has(name) ||
      editorLabels.has(name) ||
      ["'", '"'].some((quote) => sentences.includes(quote + name + quote)),
    wrong: { text: 'Click _Compact Everything…_.', names: ['Compact Everything…'] },
  },
  {
    kind: 'npm scripts',
    namesOn: ({ text, spans }) => [
      ...found(text, /\bnpm run (?:-\S+ )*([\w:-]+)/gu),
      ...found(text, /\bnpm (start|test)\b/gu),
      ...spans.filter((span) => /^(?:bench|build|library|start|test):[\w-]+$/u.test(span)),
    ],
    exists: (name) => Object.hasOwn(scripts, name),
    wrong: { text: 'Run `npm run --silent test:slow` or `bench:all`.', names: ['test:slow', 'bench:all'] },
  },
  {
    kind: 'archives of the package',
    namesOn: ({ text }) => [...text.matchAll(/\bcontext-budget-\d[\w.]*\w/gu)].map(([name]) => name),
    exists: (name) => ['vsix', 'tgz'].some((extension) => name === `${packageName}-${version}.${extension}`),
    wrong: { text: 'Install context-budget-0.0.9.vsix.', names: ['context-budget-0.0.9.vsix'] },
  },
  {
    kind: 'commands and options of the command line',
    namesOn: cliCallsOn,
    exists: cliTakes,
    wrong: {
      path: 'docs/cli.md',
      text: '`context-budget counts FILE`, `undo --json`, `--colour`\n\n### `count`\n\n`--window N`',
      names: ['counts', 'undo --json', 'count --window', '--colour'],
    },
  },
  {
    kind: 'tools',
    namesOn: ({ spans }) => spans.flatMap((span) => /^(?:[a-z]+_)+[a-z]+(?=\(|$)/u.exec(span)?.[0] ?? []),
    exists: (name) =>
      agentTools.has(name) || contextToolNames.some((tool) => tool === name) || othersNames.has(name),
    wrong: { text: 'It calls `read_files`.', names: ['read_files'] },
  },
  {
    kind: 'slash commands',
    namesOn: ({ spans }) => spans.filter((span) => /^\/[a-z]+(?: \[.*\])?$/u.test(span)),
    exists: (name) => usages.has(name) || participantCommands.has(name) || othersSlashes.has(name),
    wrong: { text: 'Type `/undo [id]`.', names: ['/undo [id]'] },
  },
  {
    kind: 'files and folders',
    namesOn: ({ spans, codeLines }) =>
      [...spans, ...codeLines]
        .flatMap((code) => code.split(/[\s'"]+/u))
        .filter((word) => pathPattern.test(word)),
    exists: (name) => globSync(name.replaceAll(/<[^>]*>/gu, '*'), { cwd: projectFolder }).length > 0,
    wrong: { text: 'See `src/agent/tools/<name>.js`.', names: ['src/agent/tools/<name>.js'] },
  },
  {
    kind: 'links',
    namesOn: ({ links }) => links.filter((link) => !/^\w+:/u.test(link)),
    exists: (link, page) => {
      const [target = '', anchor] = decodeURI(link).split('#');
      const path = target === '' ? page.path : join(dirname(page.path), target);
      if (!existsSync(join(projectFolder, path))) return false;
      if (anchor === undefined || !path.endsWith('.md')) return true;
      return (target === '' ? page : parsePage(path, read(path))).anchors.has(anchor);
    },
    wrong: {
      text: '# Here\n\n[It](README.md#how-it-fails), [it](#there), [it](docs/it.md)',
      names: ['README.md#how-it-fails', '#there', 'docs/it.md'],
    },
  },
];

function parentOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
