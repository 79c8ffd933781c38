import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import type { validate as Validate } from '@actions/languageservice';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import { projectFolder } from '../../scripts/project.ts';

/** The part of a workflow that is read here. */
interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const files = globSync('.github/workflows/*', { cwd: projectFolder }).toSorted();
const workflows = files.map((file): [name: string, text: string] => [
  basename(file),
  readFileSync(join(projectFolder, file), 'utf8'),
]);

const { validate } = await loadLanguageService();

/** The package imports JSON like bundlers, without the attribute that Node requires. */
async function loadLanguageService(): Promise<{ readonly validate: typeof Validate }> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      return specifier.endsWith('.json') ? { ...resolved, importAttributes: { type: 'json' } } : resolved;
    },
  });
  try {
    return await import('@actions/languageservice');
  } finally {
    hooks.deregister();
  }
}

/** Faults that GitHub's own language service finds in a workflow. */
async function problemsOf(text: string): Promise<readonly string[]> {
  // The service caches parsed files by address.
  const address = `file:///.github/workflows/${randomUUID()}.yml`;
  const document = TextDocument.create(address, 'yaml', 1, text);
  const problems = await validate(document);
  return problems.map(({ range, message }) => `${range.start.line + 1}: ${textOf(message)}`);
}

function textOf(message: Awaited<ReturnType<typeof Validate>>[number]['message']): string {
  return typeof message === 'string' ? message : message.value;
}

function stepsOf(text: string): readonly Step[] {
  return Object.values((parse(text) as Workflow).jobs).flatMap(({ steps }) => steps);
}

function commandsOf(text: string): readonly string[] {
  return stepsOf(text).flatMap(({ run }) => run ?? []);
}

/** Names of the scripts that commands run with npm. */
function scriptsOf(commands: readonly string[]): readonly string[] {
  return commands.flatMap((command) =>
    [...command.matchAll(/\bnpm (?:run (?:--\S+ )*(?<name>[\w:-]+)|(?<short>test|start)\b)/gu)].map(
      ({ groups }) => groups?.['name'] ?? groups?.['short'] ?? '',
    ),
  );
}

const sound = `
on: push
jobs:
  one:
    runs-on: \${{ matrix.os }}
    strategy: { matrix: { os: [ubuntu-latest] } }
    steps:
      - uses: actions/checkout@v6
      - run: npm test
        if: runner.os == 'Linux'
`;

describe('the check of workflows', () => {
  it('reports nothing if a workflow is valid', async () => {
    expect(await problemsOf(sound)).toEqual([]);
  });

  it.each([
    ['a key is unknown', 'runs-on:', 'run-on:', /Unexpected value 'run-on'/],
    ['a job waits for a missing job', '    steps:', '    needs: two\n    steps:', /two/],
    ['a matrix lacks a value', 'matrix.os', 'matrix.system', /Context access might be invalid: system/],
    ['an action has no version', 'checkout@v6', 'checkout', /Expected format/],
    ['an expression names an unknown value', "runner.os == 'Linux'", "secrets.TOKEN != ''", /secrets/],
    ['an expression is broken', "== 'Linux'", "== 'Linux", /Linux/],
    ['the event is unknown', 'on: push', 'on: pusch', /pusch/],
    ['the YAML is broken', 'on: push', 'on: [push', /.+/],
  ])('reports that %s', async (_what, before, after, message) => {
    expect(sound).toContain(before);
    expect((await problemsOf(sound.replace(before, after))).join('\n')).toMatch(message);
  });

  it('finds the scripts that the commands run', () => {
    const commands = ['npm ci', 'npm test', 'xvfb-run -a npm run test:desktop', 'npm run --silent a-b -- x'];
    expect(scriptsOf(commands)).toEqual(['test', 'test:desktop', 'a-b']);
  });
});

describe('the workflows of the project', () => {
  it('exist', () => {
    expect(workflows.map(([name]) => name)).toEqual(['ci.yml', 'release.yml']);
  });

  it.each(workflows)('%s is valid', async (_name, text) => {
    expect(await problemsOf(text)).toEqual([]);
  });

  it.each(workflows)('%s runs scripts that package.json has', (_name, text) => {
    const names = scriptsOf(commandsOf(text));
    expect(names).toContain('test');
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(workflows)('%s may only read unless a job declares more', (_name, text) => {
    expect((parse(text) as Workflow).permissions).toEqual({ contents: 'read' });
  });

  // A branch or a title is foreign text: in a command, an expression would run it.
  it.each(workflows)('%s uses no expression in a command', (_name, text) => {
    expect(commandsOf(text).filter((command) => command.includes('${{'))).toEqual([]);
  });

  it.each(workflows)('%s uses only actions by GitHub', (_name, text) => {
    const actions = stepsOf(text).flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((action) => !/^actions\/[\w-]+@v\d+$/u.test(action))).toEqual([]);
  });
});
