import { existsSync } from 'node:fs';
import type { Note } from './note.ts';
import { renderFindings, renderNotes, type Style } from './render.ts';
import { SearchIndex } from './search.ts';
import { Store } from './store.ts';
import { parseWhen } from './when.ts';

/** The command line makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command line that was taken apart. */
export interface Invocation {
  readonly words: readonly string[];
  readonly tag: readonly string[];
  readonly noTag: readonly string[];
  readonly due: string | undefined;
  readonly repair: boolean;
  /** Path of the log. */
  readonly file: string;
}

// TODO: an `undo` command. The log holds all it needs; what should it do with a note that was merged in?

/** What a command gives back: lines for standard output, and those that belong on standard error. */
export interface Outcome {
  readonly output: string;
  readonly warnings: string;
}

interface Command {
  readonly usage: string;
  /** Whether it changes the log. A command that does not runs beside a writer. */
  readonly write: boolean;
  readonly run: (store: Store, invocation: Invocation, style: Style) => Promise<string> | string;
}

const commands: Readonly<Record<string, Command>> = {
  add: {
    usage: 'add TEXT [--tag T]… [--due WHEN]',
    write: true,
    run: async (store, { words, tag, due }, style) => {
      const text = words.join(' ').trim();
      if (text === '') throw new UsageError('There is no text to add.');
      // Everything that can go wrong goes wrong before the first write.
      const day = due === undefined ? undefined : parseWhen(due, style.today);
      const id = store.freshId();
      await store.append({ type: 'added', id, text });
      if (tag.length > 0) await store.append({ type: 'tagged', id, tags: tag.map(tagName) });
      if (day !== undefined) await store.append({ type: 'due', id, day });
      return `added ${renderNotes([store.find(id)], style)}`;
    },
  },
  edit: {
    usage: 'edit ID TEXT',
    write: true,
    run: async (store, { words: [shortId, ...words] }, style) => {
      const { id } = noteOf(store, shortId);
      const text = words.join(' ').trim();
      if (text === '') throw new UsageError('There is no text to change it to; `drop` throws a note away.');
      await store.append({ type: 'edited', id, text });
      return renderNotes([store.find(id)], style);
    },
  },
  tag: {
    usage: 'tag ID [--tag T]… [--no-tag T]…',
    write: true,
    run: async (store, { words: [shortId], tag, noTag }, style) => {
      const { id, tags } = noteOf(store, shortId);
      const removed = new Set(noTag.map(tagName));
      const left = [...new Set([...tags, ...tag.map(tagName)])].filter((name) => !removed.has(name));
      await store.append({ type: 'tagged', id, tags: left });
      return renderNotes([store.find(id)], style);
    },
  },
  due: {
    usage: 'due ID WHEN',
    write: true,
    run: async (store, { words: [shortId, ...words] }, style) => {
      const { id } = noteOf(store, shortId);
      const said = words.join(' ');
      if (said === '') throw new UsageError('When? For example `friday`, `in 3 days`, or `never`.');
      await store.append({ type: 'due', id, day: said === 'never' ? null : parseWhen(said, style.today) });
      return renderNotes([store.find(id)], style);
    },
  },
  drop: {
    usage: 'drop ID',
    write: true,
    run: async (store, { words: [shortId] }) => {
      const { id, text } = noteOf(store, shortId);
      await store.append({ type: 'dropped', id });
      return `dropped ${id}  ${text}`;
    },
  },
  list: {
    usage: 'list [--tag T]… [--due WHEN]',
    write: false,
    run: (store, { tag, due }, style) => {
      const wanted = tag.map(tagName);
      const latest = due === undefined ? undefined : parseWhen(due, style.today);
      const notes = store
        .notes()
        .filter(({ tags }) => wanted.every((name) => tags.includes(name)))
        .filter((note) => latest === undefined || (note.due !== null && note.due <= latest));
      return renderNotes([...notes].sort(byDueDay), style);
    },
  },
  find: {
    usage: 'find WORDS…',
    write: false,
    run: (store, { words }, style) => {
      if (words.length === 0) throw new UsageError('What should be found?');
      const matches = new SearchIndex(store.notes()).search(words.join(' '));
      return renderNotes(
        matches.map(({ note }) => note),
        style,
      );
    },
  },
  merge: {
    usage: 'merge PATH',
    write: true,
    run: async (store, { words: [path] }) => {
      if (path === undefined) throw new UsageError('Which log should be merged?');
      if (!existsSync(path)) throw new Error(`There is no log ${path}.`);
      const other = await Store.open(path, { write: false });
      return `took over ${await store.merge(other)} events`;
    },
  },
  tidy: {
    usage: 'tidy',
    write: true,
    run: async (store) => `left out ${await store.tidy()} events`,
  },
  check: {
    usage: 'check [--repair]',
    write: true,
    run: (store) => {
      const count = store.notes().length;
      return store.findings.length === 0 ? `${count} notes, every line is sound` : `${count} notes`;
    },
  },
};

/**
 * Runs a command.
 *
 * @throws UsageError where there is no such command, or it was given the wrong words
 */
export async function runCommand(name: string, invocation: Invocation, style: Style): Promise<Outcome> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(`There is no command ${name || 'without a name'}.\n${usage()}`);
  const store = await Store.open(invocation.file, { write: command.write, repair: invocation.repair });
  try {
    const output = await command.run(store, invocation, style);
    return { output, warnings: renderFindings(store.findings) };
  } finally {
    await store.close();
  }
}

export function usage(): string {
  return ['Usage:', ...Object.values(commands).map((command) => `  driftwood ${command.usage}`)].join('\n');
}

function noteOf(store: Store, shortId: string | undefined): Note {
  if (shortId === undefined) throw new UsageError('Which note? Give its id, or the beginning of it.');
  return store.find(shortId);
}

/** Tags are compared without case, and with or without the `#`. */
function tagName(said: string): string {
  return said.replace(/^#/, '').toLowerCase();
}

/** Notes that are due come first, the most urgent one on top; the others follow in the order they were added. */
function byDueDay(first: Note, second: Note): number {
  if (first.due === second.due) return 0;
  if (first.due === null) return 1;
  if (second.due === null) return -1;
  return first.due < second.due ? -1 : 1;
}
