import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { contextToolNames } from '../../src/bridge/server/tool-names.ts';
import { commandNames, usageOf } from '../../src/presenters/chat/command-catalogue.ts';
import { cliCommandNames } from './cli-calls.ts';
import { parsePage, sectionOf, type MarkdownPage } from './markdown-page.ts';
import { agentTools, namedKinds } from './named-things.ts';

const pages = globSync('{*.md,docs/**/*.md,test/faults/*.md}', { cwd: projectFolder })
  .sort()
  .map((path) => parsePage(path, readFileSync(join(projectFolder, path), 'utf8')));

function pageAt(path: string): MarkdownPage {
  const page = pages.find((candidate) => candidate.path === path);
  if (page === undefined) throw new Error(`There is no ${path}.`);
  return page;
}

describe.each(namedKinds)('$kind on the pages', ({ namesOn, exists, wrong }) => {
  const missingOn = async (page: MarkdownPage): Promise<readonly string[]> => {
    const missing: string[] = [];
    for (const name of new Set(namesOn(page))) if (!(await exists(name, page))) missing.push(name);
    return missing;
  };

  it('exist', async () => {
    expect(pages.flatMap(namesOn)).not.toEqual([]);
    const missing = await Promise.all(
      pages.map(async (page) => (await missingOn(page)).map((name) => `${page.path}: ${name}`)),
    );
    expect(missing.flat()).toEqual([]);
  });

  it('are reported if they do not exist', async () => {
    const { path = 'CONTRIBUTING.md', text, names } = wrong;
    expect(await missingOn(parsePage(path, text))).toEqual(names);
  });
});

describe('the documents', () => {
  it('list every tool of the agent and of the server in their tables', () => {
    const listed = (path: string, heading: string): readonly string[] =>
      sectionOf(pageAt(path), heading)
        .text.split('\n')
        .filter((line) => line.startsWith('| `'))
        .flatMap((line) => [...line.split(' | ')[0]!.matchAll(/`([a-z_]+)`/gu)].map(([, name]) => name!));
    expect(listed('docs/agent.md', '## Tools').toSorted()).toEqual([...agentTools].toSorted());
    expect(listed('docs/other-agents.md', '## Ask')).toEqual(contextToolNames);
  });

  it('list every slash command with its arguments in docs/chat.md', () => {
    const { spans } = sectionOf(pageAt('docs/chat.md'), '## Commands and attachments');
    expect(spans).toEqual(expect.arrayContaining(commandNames.map(usageOf)));
  });

  it('describe every command of the command line in docs/cli.md', () => {
    const { text } = sectionOf(pageAt('docs/cli.md'), '## Commands');
    expect([...text.matchAll(/^### `([a-z]+)`$/gmu)].map(([, name]) => name!).toSorted()).toEqual(
      cliCommandNames.toSorted(),
    );
  });

  it('list every decision by its title in docs/decisions/README.md', () => {
    const decisions = pages.filter(({ path }) => /^docs\/decisions\/\d/u.test(path));
    const lines = decisions.map(
      ({ path, text }) => `- [${/^# (?<title>.+)/u.exec(text)?.groups?.['title']}](${basename(path)})`,
    );
    const { text } = pageAt('docs/decisions/README.md');
    expect(lines.filter((line) => !text.includes(line))).toEqual([]);
  });

  it('keep the sections of the README in the agreed order', () => {
    expect(pageAt('README.md').text.match(/^## .*$/gmu)).toEqual([
      '## What it shows you',
      '## Try it',
      '## Your agents',
      '## Its own agent',
      '## Pages',
      '## Privacy',
    ]);
  });

  it('list every page in the README', () => {
    const { links } = sectionOf(pageAt('README.md'), '## Pages');
    const own = pages.map(({ path }) => path).filter((path) => /^docs\/[\w-]+\.md$/u.test(path));
    expect(own.filter((path) => !links.includes(path))).toEqual([]);
  });

  it.each([
    ['README.md', 1_200],
    ['docs/security.md', 3_000],
    // Nearly half of it are the cells of its tables.
    ['docs/performance.md', 2_700],
    ['docs/settings.md', 3_900],
  ])('keep %s to %d words', (path, words) => {
    expect(pageAt(path).text.trim().split(/\s+/u).length).toBeLessThanOrEqual(words);
  });

  it('give each release at most ten lines in the changelog', () => {
    const [, ...releases] = pageAt('CHANGELOG.md').text.split(/^## /mu);
    expect(
      releases.map((release) => release.match(/^- /gmu)?.length ?? 0).filter((lines) => lines > 10),
    ).toEqual([]);
  });

  it('name at most twelve files in each walkthrough of docs/architecture.md', () => {
    for (const heading of ['## A message', '## A compaction']) {
      const { spans } = sectionOf(pageAt('docs/architecture.md'), heading);
      const files = new Set(spans.filter((span) => /^(?:src|webview)\/.+\.ts$/u.test(span)));
      expect(files.size, heading).toBeGreaterThan(6);
      expect(files.size, heading).toBeLessThanOrEqual(12);
    }
  });
});
