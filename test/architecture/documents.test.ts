import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';

const documents = globSync('{*.md,docs/**/*.md}', { cwd: projectFolder }).sort();
const textOf = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
const isThere = (path: string): boolean => existsSync(join(projectFolder, path));

/** Documents that say where things are now; decisions say where they were. */
const guides = ['CONTRIBUTING.md', 'docs/architecture.md'];

describe('the documents', () => {
  it('link to files that are there', () => {
    const links = documents.flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/gu)].map(([, target = '']) => ({ path, target })),
    );
    expect(links.length).toBeGreaterThan(20);
    const broken = links.filter(({ path, target }) => !isThere(join(dirname(path), decodeURI(target))));
    expect(broken).toEqual([]);
  });

  it.each(guides)('%s names files and folders that are there', (guide) => {
    const named = [
      ...textOf(guide).matchAll(/`((?:src|webview|test|scripts|docs|samples)\/[\w./<>-]+)`/gu),
    ].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((path) => !path.includes('<') && !isThere(path))).toEqual([]);
  });

  it('CONTRIBUTING.md names commands that there are', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Record<string, string> };
    const commands = [...textOf('CONTRIBUTING.md').matchAll(/npm run ([\w:]+)/gu)].map(
      ([, name = '']) => name,
    );
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('docs/architecture.md walks through at most twelve files each', () => {
    for (const title of ['A message', 'A compaction']) {
      const [, section = ''] = textOf('docs/architecture.md').split(`\n## ${title}\n`);
      const files = new Set(section.split('\n## ')[0]!.match(/`(?:src|webview)\/[^`]+\.ts`/gu));
      expect(files.size, title).toBeGreaterThan(6);
      expect(files.size, title).toBeLessThanOrEqual(12);
    }
  });
});
