import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';

const folder = join(projectFolder, 'test', 'faults');
const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));

describe('docs/security.md', () => {
  test('has a guarantee for every file of fault tests', async () => {
    const text = await readFile(join(projectFolder, 'docs', 'security.md'), 'utf8');
    expect(files.filter((name) => !text.includes(`test/faults/${name}`))).toEqual([]);
  });
});

describe('test/faults/README.md', () => {
  test('lists F1 to F30 as survived', async () => {
    const text = await readFile(join(folder, 'README.md'), 'utf8');
    const survived = new Set(
      [...text.matchAll(/^\|[^|]+\| F(\d+)\b[^|]*\|[^|]+\| +0 \| survived/gm)].map(([, number]) =>
        Number(number),
      ),
    );
    expect([...survived].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });
});
