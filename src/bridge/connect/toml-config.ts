import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError } from 'smol-toml';
import { isRecord } from '../../language/is-record.ts';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { ConfigError } from './json-config.ts';
import { withInlinePair, withoutInlinePair } from './toml-inline.ts';

/** Our table in a TOML configuration. */
export interface TomlTable {
  /** Path of the table: two names without dots. */
  readonly path: readonly [string, string];
  /** Values: strings, and arrays of strings. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Adds a table at the end, or a pair to an inline parent table, without changing anything else. Replaces our
 * existing table.
 * @throws {ConfigError} if the text cannot be read, or the parent is not a table
 */
export function withTable(text: string, table: TomlTable): string {
  if (isAsWritten(tableIn(text, table), table)) return text;
  const rest = withoutTable(text, table);
  const [group] = table.path;
  const other = parsed(rest)[group];
  if (other !== undefined && !isRecord(other))
    throw new ConfigError(bridgeSentences.say('notATable', { path: group }));
  const lines = Object.entries(table.values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const added = withInlinePair(rest, group, inlineOf(table)) ?? withLines(rest, [headingOf(table), ...lines]);
  if (isAsWritten(tableIn(added, table), table)) return checked(added, rest, table);
  throw new ConfigError(bridgeSentences.say('notATable', { path: group }));
}

/** Adds lines at the end, after an empty line. */
function withLines(text: string, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  return `${text}${gap}${lines.join(eol)}${eol}`;
}

/** @throws {ConfigError} if anything but the table changed, because lines may belong to a multi-line string */
function checked(text: string, before: string, table: TomlTable): string {
  if (isDeepStrictEqual(aroundTable(text, table), aroundTable(before, table))) return text;
  throw new ConfigError(bridgeSentences.say('otherForm', { path: table.path.join('.') }));
}

/** Returns the configuration without the table, and without a parent that becomes empty. */
function aroundTable(text: string, { path: [group, name] }: TomlTable): unknown {
  const { [group]: tables, ...others } = parsed(text);
  if (!isRecord(tables)) return { ...others, ...(tables !== undefined && { [group]: tables }) };
  const { [name]: _, ...rest } = tables;
  return { ...others, ...(Object.keys(rest).length > 0 && { [group]: rest }) };
}

/**
 * Returns the table as a separate text; undefined if missing.
 * @throws {ConfigError} if the text cannot be read
 */
export function tableText(text: string, table: TomlTable): string | undefined {
  const value = tableIn(text, table);
  const [group, name] = table.path;
  return value === undefined ? undefined : stringify({ [group]: { [name]: value } });
}

/**
 * Adds a table from text that `tableText` returned.
 * @throws {ConfigError} if the table cannot be added
 */
export function withTableText(text: string, table: TomlTable, written: string): string {
  const lines = written.trimEnd().split('\n');
  return checked(withLines(text, lines), text, table);
}

function inlineOf({ path: [, name], values }: TomlTable): string {
  const pairs = Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `${name} = { ${pairs.join(', ')} }`;
}

/**
 * Removes the table, the empty line before it, and its sub-tables. Codex adds a sub-table for tools that may
 * always run, and rejects a server with only this sub-table.
 * @throws {ConfigError} if the text cannot be read
 */
export function withoutTable(text: string, table: TomlTable): string {
  if (tableIn(text, table) === undefined) return text;
  const inline = withoutInlinePair(text, ...table.path);
  if (inline !== undefined) return checked(inline, text, table);
  const lines = text.split('\n');
  // The last heading is the newest. An earlier heading may be text in a string.
  const start = lines.findLastIndex((line) => isOwnHeading(line, table));
  if (start < 0) {
    throw new ConfigError(bridgeSentences.say('otherForm', { path: table.path.join('.') }));
  }
  const length = lines.slice(start + 1).findIndex((line) => /^\s*\[/u.test(line));
  let end = length < 0 ? lines.length : start + 1 + length;
  // Empty lines and comments before the next table belong to that table.
  while (length >= 0 && /^\s*(?:#.*)?$/u.test(lines[end - 1] ?? '')) end--;
  const before = lines.slice(0, start);
  if (before.at(-1)?.trim() === '') before.pop();
  const after = lines.slice(end);
  if (after.length === 0 && before.length > 0) after.push('');
  const left = [...before, ...after].join('\n');
  return withoutTable(checked(left, text, table), table);
}

function isOwnHeading(line: string, { path }: TomlTable): boolean {
  const heading = line.trim();
  return heading === headingOf({ path }) || heading.startsWith(`[${path.join('.')}.`);
}

function isAsWritten(value: unknown, { values }: TomlTable): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(values).every(([name, own]) => JSON.stringify(value[name]) === JSON.stringify(own));
}

function headingOf({ path }: Pick<TomlTable, 'path'>): string {
  return `[${path.join('.')}]`;
}

/**
 * Returns the value of the table; undefined if missing.
 * @throws {ConfigError} if the text cannot be read
 */
export function tableIn(text: string, { path: [group, name] }: TomlTable): unknown {
  const tables = parsed(text)[group];
  return isRecord(tables) ? tables[name] : undefined;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    const line = String(error instanceof TomlError ? error.line : 1);
    throw new ConfigError(bridgeSentences.say('invalidToml', { line }));
  }
}
