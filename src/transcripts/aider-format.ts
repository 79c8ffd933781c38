import { isoTime, toEntries, type Draft } from './draft.ts';
import { ImportError, type Imported, type TranscriptFormat } from './format.ts';

type Speaker = 'person' | 'program' | 'model';

const session = /^# aider chat started at (.*)$/;

/**
 * The Markdown history that Aider keeps: a heading per session, the person's lines as level 4 headings, the program's
 * quoted, and the model's as they are. What the program said (files added, test output, edits applied) the model was
 * told of as well, so it becomes a message in the user role. A history holds many sessions; the last is read.
 */
export const aiderFormat: TranscriptFormat = {
  id: 'aider',
  title: 'Aider chat history (Markdown)',
  recognises: (text) => /^\s*# aider chat started at /.test(text),
  parse,
};

function parse(text: string): Imported {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (!session.test(lines[first] ?? '')) {
    const line = Math.max(first, 0) + 1;
    throw new ImportError(
      `Line ${line}: expected an Aider chat history, "# aider chat started at" and a time.`,
    );
  }
  const start = lines.findLastIndex((line) => session.test(line));
  const count = lines.filter((line) => session.test(line)).length;
  const problems = count > 1 ? [`Of the ${count} sessions in the file only the last was read.`] : [];
  // The file has the local time of a place it does not name.
  const createdAt = isoTime(
    `${session
      .exec(lines[start] ?? '')?.[1]
      ?.trim()
      .replace(' ', 'T')}Z`,
  );
  if (createdAt === undefined) problems.push(`Line ${start + 1}: the time of the session could not be read.`);
  const drafts = blocksOf(lines.slice(start + 1)).map((block): Draft => ({ ...toDraft(block), createdAt }));
  return { entries: toEntries(drafts), tools: [], compactions: [], problems };
}

interface Block {
  readonly speaker: Speaker;
  readonly text: string;
}

/** Lines of the same speaker, with the blank ones between them. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let speaker: Speaker | undefined;
  let spoken: string[] = [];
  const finish = () => {
    const text = spoken.join('\n').trim();
    if (speaker !== undefined && text !== '') blocks.push({ speaker, text });
    spoken = [];
  };
  for (const line of lines) {
    const next = speakerOf(line) ?? speaker;
    if (next !== speaker) finish();
    speaker = next;
    spoken.push(line.startsWith('#### ') ? line.slice(5) : line.startsWith('> ') ? line.slice(2) : line);
  }
  finish();
  return blocks;
}

/** @returns nothing for a blank line, which goes with whoever spoke before */
function speakerOf(line: string): Speaker | undefined {
  if (line.startsWith('#### ')) return 'person';
  if (line.startsWith('> ')) return 'program';
  return line.trim() === '' ? undefined : 'model';
}

function toDraft({ speaker, text }: Block): Draft {
  if (speaker === 'model') return { chat: { role: 'assistant', content: text }, origin: 'model' };
  return { chat: { role: 'user', content: text }, origin: speaker === 'person' ? 'person' : 'harness' };
}
