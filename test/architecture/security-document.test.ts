import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';

const path = join(projectFolder, 'docs', 'security.md');
const text = await readFile(path, 'utf8');
const folder = join(projectFolder, 'test', 'faults');
const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));

describe('docs/security.md', () => {
  test('has a promise for every file of fault tests', () => {
    expect(files.filter((name) => !text.includes(`test/faults/${name}`))).toEqual([]);
  });

  test('lists F1 to F30 as survived', () => {
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
