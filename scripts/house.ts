/**
 * Prints a report on the source tree: number and lengths of files, violated rules, and files that need attention.
 * `test/architecture/house.test.ts` enforces the rules.
 *
 * Usage: node scripts/house.ts
 */
import { percentText } from '../src/language/percent.ts';
import { measureHouse, type Room } from './house/report.ts';
import {
  longestSentence,
  longSentences,
  longSentencesLeft,
  placesOfShape,
  proseOf,
  shapes,
} from './house/sentence-shapes.ts';
import { readOtherUsers, readSources, type Size } from './house/source-tree.ts';
import { untranslatedTexts } from './house/untranslated.ts';
import { runMain } from './run-main.ts';

await runMain(async () => {
  const report = measureHouse(readSources(), readOtherUsers());
  const { files, lines, medianLines, shortShare, longest } = report;
  print('Files', files);
  print('Lines', lines);
  print('Median lines', medianLines);
  print('Below 40 lines', percentText(shortShare, 'en', { decimals: 1 }));
  print('Longest', `${longest.lines} (${longest.path})`);
  list(
    'Rooms: lines and files, of their budget',
    report.rooms.map((room) => `${room.folder}: ${ofBudget(room, 'lines')}, ${ofBudget(room, 'files')}`),
  );
  list('Exports without a user', report.unusedExports);
  list(
    'Exported names with two meanings',
    [...report.repeatedExports].map(([name, paths]) => `${name}: ${oneLine(paths)}`),
  );
  list(
    'Over 250 lines',
    report.long.map((file) => `${file.path} (${file.lines})`),
  );
  list('Slivers with one importer', report.slivers);
  list('Unused grants', report.unusedGrants);
  list('Circles of files', report.fileKnots.map(oneLine));
  list(
    'Circles of folders',
    [...report.folderKnots].flatMap(([layer, knots]) => knots.map((knot) => `${layer}: ${oneLine(knot)}`)),
  );
  list(
    'Base names used twice',
    [...report.repeatedNames].map(([name, paths]) => `${name}: ${oneLine(paths)}`),
  );
  list('Constructors with more than four parameters', report.wideConstructors);
  const prose = proseOf();
  list('Sentences to read twice, and the ceiling of each shape', [
    ...shapes.map((shape) => `${shape.name}: ${placesOfShape(prose, shape).length} of ${shape.ceiling}`),
    `more than ${longestSentence} words: ${longSentences(prose).length} of ${longSentencesLeft}`,
  ]);
  list('Shown in English where Simplified Chinese is asked for', untranslatedTexts());
});

function print(name: string, value: number | string): void {
  console.log(`${`${name}:`.padEnd(18)}${typeof value === 'number' ? value.toLocaleString('en') : value}`);
}

function list(name: string, entries: readonly string[]): void {
  console.log(`\n${name}: ${entries.length === 0 ? 'none' : entries.length}`);
  for (const entry of entries) console.log(`  ${entry}`);
}

function ofBudget(room: Room, of: keyof Size): string {
  return `${room[of].toLocaleString('en')} of ${room.budget[of].toLocaleString('en')} ${of}`;
}

function oneLine(paths: readonly string[]): string {
  return paths.join(', ');
}
