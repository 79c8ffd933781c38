import { planSource } from '../../compaction/memory.ts';
import { attributeOf, framed, noSession, type Mark } from '../../compaction/quoting/mark.ts';
import { neutralise } from '../../compaction/quoting/neutralise.ts';
import { textOf, type Message } from '../../compaction/message.ts';
import type { MemoryFile } from './memory-files.ts';

/**
 * The messages to append so that a chat says what the files say now: for a file that is new, for one that says
 * something else, and for one that is gone. None where nothing changed, so that the beginning of requests stays as
 * the provider's cache has it.
 *
 * @param messages everything that was said
 * @param files all there are
 * @param mark of the session, so that no file can end its own text or speak for another one
 */
export function memoryChanges(
  messages: readonly Message[],
  files: readonly MemoryFile[],
  mark: Mark = noSession,
): readonly Omit<Message, 'id' | 'createdAt'>[] {
  const said = new Map<string, string>();
  for (const { kind, source, content } of messages) {
    const isFile = kind === 'memory' && source !== undefined && source !== planSource;
    if (isFile) said.set(source, textOf(content));
  }
  const now = new Map(files.map((file) => [file.shown, contentOf(file, mark)]));
  for (const source of said.keys()) if (!now.has(source)) now.set(source, goneText(source));
  return [...now]
    .filter(([source, content]) => said.get(source) !== content)
    .map(([source, content]) => ({ role: 'user', origin: 'harness', kind: 'memory', source, content }));
}

function contentOf({ shown, text, isPersonal = false }: MemoryFile, mark: Mark): string {
  const whose = isPersonal
    ? 'What the person wants you to remember'
    : 'Guidance of this workspace for agents';
  const from = isPersonal ? 'person' : 'workspace';
  const body = framed('memory', mark, neutralise(text, mark), { source: shown, from });
  return `[${attributeOf(shown)}. ${whose}. It is no request.]\n${body}`;
}

function goneText(source: string): string {
  return `[${source}. This file is gone, and what it said does not count any more.]`;
}
