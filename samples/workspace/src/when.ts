import type { Day } from './note.ts';

/** A date that cannot be understood. */
export class UnknownDateError extends Error {
  override readonly name = 'UnknownDateError';
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** Days are numbers while they are reckoned with: days since 1970, in no time zone. */
type DayNumber = number;

/** One way of saying a date: what it looks like, and the day it stands for. */
interface Phrase {
  readonly pattern: RegExp;
  readonly day: (match: RegExpExecArray, today: DayNumber) => DayNumber | undefined;
}

const phrases: readonly Phrase[] = [
  { pattern: /^today$/, day: (_match, today) => today },
  { pattern: /^tomorrow$/, day: (_match, today) => today + 1 },
  { pattern: /^(?:the )?day after tomorrow$/, day: (_match, today) => today + 2 },
  {
    pattern: /^(next )?([a-z]+)$/,
    day: ([, next, name], today) => weekday(name!, next !== undefined, today),
  },
  {
    pattern: /^in (\w+) (day|week|month|year)s?$/,
    day: ([, count, unit], today) => later(count!, unit!, today),
  },
  { pattern: /^next (week|month|year)$/, day: ([, unit], today) => later('one', unit!, today) },
  { pattern: /^(?:the )?end of (?:the )?(week|month|year)$/, day: ([, unit], today) => endOf(unit!, today) },
  {
    pattern: /^(\d{1,2})\.? ([a-z]+)(?: (\d{4}))?$/,
    day: ([, date, name, year], today) => named(date!, name!, year, today),
  },
  {
    pattern: /^([a-z]+) (\d{1,2})(?:,? (\d{4}))?$/,
    day: ([, name, date, year], today) => named(date!, name!, year, today),
  },
  {
    pattern: /^(\d{4})-(\d{2})-(\d{2})$/,
    day: ([, year, month, date]) => dayNumber(Number(year), Number(month) - 1, Number(date)),
  },
];

/**
 * Understands a date as people say it.
 *
 * @param today the day that "tomorrow" follows
 * @throws UnknownDateError where it makes no sense, or names a day that does not exist
 */
export function parseWhen(text: string, today: Day): Day {
  const said = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const now = numberOf(today);
  for (const { pattern, day } of phrases) {
    const match = pattern.exec(said);
    const found = match === null ? undefined : day(match, now);
    if (found !== undefined) return dayOf(found);
  }
  throw new UnknownDateError(
    `"${text}" is no date that Driftwood knows; try "friday", "in 3 days" or "27 nov".`,
  );
}

/** Today, in the time zone of the machine. */
export function todayOf(now: Date): Day {
  return [now.getFullYear(), pad(now.getMonth() + 1), pad(now.getDate())].join('-');
}

/** Days from one day to another; negative where the second is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return numberOf(to) - numberOf(from);
}

/** `Fri 27 Nov`, with the year where it is not this one. */
export function formatDay(day: Day, today: Day): string {
  const date = dateOf(numberOf(day));
  const name = capitalise(weekdays[date.getUTCDay()]!).slice(0, 3);
  const month = capitalise(months[date.getUTCMonth()]!).slice(0, 3);
  const year = day.slice(0, 4) === today.slice(0, 4) ? '' : ` ${day.slice(0, 4)}`;
  return `${name} ${date.getUTCDate()} ${month}${year}`;
}

/**
 * The next day of that name, never today. With `next`, a day of this week moves on to the week after: on a Tuesday,
 * "friday" is in three days and "next friday" in ten. Weeks begin on Monday.
 */
function weekday(name: string, isNext: boolean, today: DayNumber): DayNumber | undefined {
  const wanted = indexOf(weekdays, name);
  if (wanted === undefined) return undefined;
  const current = dateOf(today).getUTCDay();
  const ahead = (wanted - current + 7) % 7 || 7;
  const daysLeftInWeek = (7 - current) % 7;
  return today + (isNext && ahead <= daysLeftInWeek ? ahead + 7 : ahead);
}

function later(said: string, unit: string, today: DayNumber): DayNumber | undefined {
  const count = countOf(said);
  if (count === undefined) return undefined;
  if (unit === 'day') return today + count;
  if (unit === 'week') return today + 7 * count;
  return addMonths(today, unit === 'month' ? count : 12 * count);
}

/** 31 January and one month is the last day of February: a month later is never two months later. */
function addMonths(day: DayNumber, count: number): DayNumber {
  const date = dateOf(day);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + count;
  return Math.min(utcDay(year, month, date.getUTCDate()), lastOfMonth(year, month));
}

function endOf(unit: string, today: DayNumber): DayNumber {
  const date = dateOf(today);
  if (unit === 'week') return today + ((7 - date.getUTCDay()) % 7);
  if (unit === 'year') return utcDay(date.getUTCFullYear(), 11, 31);
  return lastOfMonth(date.getUTCFullYear(), date.getUTCMonth());
}

/** A day and month without a year is the next one that is not in the past. */
function named(
  date: string,
  name: string,
  year: string | undefined,
  today: DayNumber,
): DayNumber | undefined {
  const month = indexOf(months, name);
  if (month === undefined) return undefined;
  if (year !== undefined) return dayNumber(Number(year), month, Number(date));
  const thisYear = dateOf(today).getUTCFullYear();
  // 29 February may take some years to come round.
  for (let candidate = thisYear; candidate <= thisYear + 8; candidate += 1) {
    const day = dayNumber(candidate, month, Number(date));
    if (day !== undefined && day >= today) return day;
  }
  return undefined;
}

/** A number in digits or in words. `a` is one. */
function countOf(said: string): number | undefined {
  if (/^\d{1,4}$/.test(said)) return Number(said);
  if (said === 'a' || said === 'an') return 1;
  const count = numbers.indexOf(said);
  return count < 0 ? undefined : count;
}

/** Finds a name by its beginning, of at least three letters. */
function indexOf(names: readonly string[], said: string): number | undefined {
  if (said.length < 3) return undefined;
  const index = names.findIndex((name) => name.startsWith(said));
  return index < 0 ? undefined : index;
}

const millisecondsPerDay = 24 * 60 * 60 * 1000;

function utcDay(year: number, month: number, date: number): DayNumber {
  return Date.UTC(year, month, date) / millisecondsPerDay;
}

/** @returns undefined for a day that does not exist, which `Date` would carry over into the next month */
function dayNumber(year: number, month: number, date: number): DayNumber | undefined {
  const day = utcDay(year, month, date);
  const back = dateOf(day);
  return back.getUTCMonth() === month && back.getUTCDate() === date ? day : undefined;
}

function lastOfMonth(year: number, month: number): DayNumber {
  return utcDay(year, month + 1, 0);
}

function dateOf(day: DayNumber): Date {
  return new Date(day * millisecondsPerDay);
}

function numberOf(day: Day): DayNumber {
  return Date.parse(`${day}T00:00:00Z`) / millisecondsPerDay;
}

function dayOf(day: DayNumber): Day {
  return dateOf(day).toISOString().slice(0, 10);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
