import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, parseWhen, UnknownDateError } from '../src/when.ts';

/** A Tuesday. */
const today = '2026-11-17';

const said: readonly (readonly [string, string])[] = [
  ['today', '2026-11-17'],
  ['Tomorrow', '2026-11-18'],
  ['the day after tomorrow', '2026-11-19'],
  ['friday', '2026-11-20'],
  ['next friday', '2026-11-27'],
  ['tuesday', '2026-11-24'],
  ['mon', '2026-11-23'],
  ['in 3 days', '2026-11-20'],
  ['in two weeks', '2026-12-01'],
  ['in a month', '2026-12-17'],
  ['next year', '2027-11-17'],
  ['end of week', '2026-11-22'],
  ['end of the month', '2026-11-30'],
  ['27 nov', '2026-11-27'],
  ['november 16', '2027-11-16'],
  ['29 feb', '2028-02-29'],
  ['3 march 2031', '2031-03-03'],
  ['2026-11-30', '2026-11-30'],
];

for (const [text, day] of said) {
  await test(`"${text}" is ${day}`, () => assert.equal(parseWhen(text, today), day));
}

await test('a month after 31 January is the last day of February', () => {
  assert.equal(parseWhen('in 1 month', '2027-01-31'), '2027-02-28');
});

for (const text of ['', 'someday', '31 november', '2026-02-30', 'in many days']) {
  await test(`"${text}" is no date`, () => assert.throws(() => parseWhen(text, today), UnknownDateError));
}

await test('a day of another year is shown with its year', () => {
  assert.equal(formatDay('2027-11-16', today), 'Tue 16 Nov 2027');
});
