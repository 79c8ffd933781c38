import { describe, expect, it } from 'vitest';
import { measureHouse } from '../../scripts/house/report.ts';
import { readOtherUsers, readSources } from '../../scripts/house/source-tree.ts';

/** `npm run house` prints the measures of these rules, and more. */
describe('the house', () => {
  const house = measureHouse(readSources(), readOtherUsers());

  it('has few, full files', () => {
    expect(house.files).toBeLessThanOrEqual(880);
    expect(house.medianLines).toBeGreaterThanOrEqual(110);
    expect(house.medianLines).toBeLessThanOrEqual(130);
    expect(house.shortShare).toBeLessThan(0.12);
    expect(house.longest.lines, house.longest.path).toBeLessThanOrEqual(400);
  });

  it('has no circles of files, and none of folders', () => {
    expect(house.fileKnots).toEqual([]);
    expect([...house.folderKnots]).toEqual([]);
  });

  it('gives each base name once', () => {
    expect([...house.repeatedNames]).toEqual([]);
  });

  it('grants no layer what it does not use', () => {
    expect(house.unusedGrants).toEqual([]);
  });

  it.each(house.rooms)('keeps $folder within its budget in layers.json', ({ files, lines, budget }) => {
    expect(files).toBeLessThanOrEqual(budget.files);
    expect(lines).toBeLessThanOrEqual(budget.lines);
  });

  it('exports nothing without a user', () => {
    expect(house.unusedExports).toEqual([]);
  });

  it('gives each exported name one meaning', () => {
    expect([...house.repeatedExports]).toEqual([]);
  });

  it('hands no constructor more than four values in a row', () => {
    expect(house.wideConstructors).toEqual([]);
  });
});
