import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { unseenSizes } from '../../src/transcripts/unseen-sizes.ts';

/** Rows of the table on the page that `npm run agents` writes: id, version, tools, instructions. */
function measuredRows(): readonly (readonly [id: string, version: string, tools: number, system: number])[] {
  const page = readFileSync(join(projectFolder, 'docs', 'agents.md'), 'utf8');
  const [, section = ''] = page.split('## What session files lack');
  const numberOf = (cell = '') => Number(cell.replaceAll(',', ''));
  return [...section.matchAll(/^\| `([\w-]+)` +\| ([\w.-]+) +\| +([\d,]+) \| +([\d,]+) \|$/gmu)].map(
    ([, id = '', version = '', tools, system]) => [id, version, numberOf(tools), numberOf(system)],
  );
}

describe('the sizes of parts that session files lack', () => {
  it('match the table in the documentation', () => {
    const rows = measuredRows();
    expect(rows).not.toEqual([]);
    expect(
      Object.fromEntries(rows.map(([id, version, tools, system]) => [id, { version, system, tools }])),
    ).toEqual(Object.fromEntries(rows.map(([id]) => [id, unseenSizes[id]])));
  });
});

describe('the measured sizes for an agent', () => {
  it.each(Object.entries(unseenSizes))(
    'are complete and have a version: %s',
    (_, { version, system, tools }) => {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(Number.isInteger(system) && Number.isInteger(tools) && system + tools > 0).toBe(true);
    },
  );
});
