import { describe, expect, it } from 'vitest';
import { measureHouse } from '../../scripts/house/report.ts';
import { readOtherUsers, readSources } from '../../scripts/house/source-tree.ts';

/** `npm run house` prints the measures of these rules, and more. */
describe('the source code', () => {
  const house = measureHouse(readSources(), readOtherUsers());

  it('has few files, which have a moderate length', () => {
    expect(house.files).toBeLessThanOrEqual(1027);
    expect(house.medianLines).toBeGreaterThanOrEqual(110);
    expect(house.medianLines).toBeLessThanOrEqual(130);
    expect(house.shortShare).toBeLessThan(0.12);
    expect(house.longest.lines, house.longest.path).toBeLessThanOrEqual(400);
  });

  it('has no import cycles between files or folders', () => {
    expect(house.fileKnots).toEqual([]);
    expect([...house.folderKnots]).toEqual([]);
  });

  it('uses each file name once', () => {
    expect([...house.repeatedNames]).toEqual([]);
  });

  it('allows no layer an import that it does not use', () => {
    expect(house.unusedGrants).toEqual([]);
  });

  it.each(house.rooms)('keeps $folder within its budget in layers.json', ({ files, lines, budget }) => {
    expect(files).toBeLessThanOrEqual(budget.files);
    expect(lines).toBeLessThanOrEqual(budget.lines);
  });

  it('exports nothing that is not used', () => {
    expect(house.unusedExports).toEqual([]);
  });

  it('exports each name only once', () => {
    expect([...house.repeatedExports]).toEqual([]);
  });

  it('passes no more than four values to a constructor', () => {
    expect(house.wideConstructors).toEqual([]);
  });
});
