import {
  callOf,
  type Draft,
  type Imported,
  isoTime,
  joinedFrames,
  toEntries,
  type TranscriptFormat,
} from '../reading/transcript-format.ts';
import type { ReportedUsage, ToolCall } from '../../compaction/messages/message.ts';
import { textLines } from '../reading/json-lines.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import { expectedAt } from '../reading/json-document.ts';

type Speaker = 'person' | 'program' | 'model';

const session = /^# aider chat started at (.*)$/;

/**
 * The Markdown history of Aider: a heading for each session, typed lines as level 4 headings, the program's lines as
 * quotes, and the model's text unchanged. Added files, applied edits and commands become calls with generated ids.
 * Edits belong to the reply that made them. Other lines of the program become messages with the user role. Only the
 * last session of a history is read.
 */
export const aiderFormat: TranscriptFormat = {
  id: 'aider',
  title: 'Aider chat history (Markdown)',
  recognises: (text) => /^\s*# aider chat started at /.test(text),
  parse,
};

function parse(text: string): Imported {
  const lines = textLines(text);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (!session.test(lines[first] ?? '')) {
    const line = Math.max(first, 0) + 1;
    throw expectedAt(line, importsSentences.say('expectedAider'));
  }
  const start = lines.findLastIndex((line) => session.test(line));
  const count = lines.filter((line) => session.test(line)).length;
  const problems = count > 1 ? [`Of the ${count} sessions in the file only the last was read.`] : [];
  // The file contains local times without a zone.
  const createdAt = isoTime(
    `${session
      .exec(lines[start] ?? '')?.[1]
      ?.trim()
      .replace(' ', 'T')}Z`,
  );
  if (createdAt === undefined) problems.push(`Line ${start + 1}: the time of the session could not be read.`);
  const blocks = blocksOf(lines.slice(start + 1));
  const drafts = new Chat().read(blocks).map((draft): Draft => ({ ...draft, createdAt }));
  return { entries: toEntries(drafts, joinedFrames), tools: [], compactions: [], problems };
}

interface Block {
  readonly speaker: Speaker;
  readonly text: string;
}

/** A typed line in Aider's form, with two trailing spaces (`io.py`), which headings of the model do not have. */
const typedLine = /^#### .*? {2}$/;

/** Matches the user's answer in the line below a question of the program, except for yes and no. */
const answerLine = /^\(y\/n[^)\n]*\) (?!(?:[yn]|yes|no|all|skip|don't) *$)(\S.*)$/i;

/** Groups consecutive lines of one speaker. A long text of the program is quoted only on its first line. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  // An editor may have removed the trailing spaces.
  const hasBreaks = lines.some((line) => typedLine.test(line));
  const blocks: Block[] = [];
  let speaker: Speaker | undefined;
  let spoken: string[] = [];
  const finish = () => {
    const text = spoken.join('\n').trim();
    if (speaker !== undefined && text !== '') blocks.push({ speaker, text });
    spoken = [];
  };
  /** Index of the next line with trailing spaces, which end each text of the program. */
  let end = 0;
  let isOutput = false;
  for (const [index, line] of lines.entries()) {
    const answer = isOutput ? answerLine.exec(line)?.[1]?.trimEnd() : undefined;
    const named = isOutput ? (answer === undefined ? 'program' : 'person') : speakerOf(line, hasBreaks);
    const isReply = !isOutput && named === 'person' && isOfReply(lines, index, speaker, hasBreaks);
    const next = isReply ? 'model' : (named ?? speaker);
    const isQuoted: boolean = !isOutput && line.startsWith('> ');
    while (end < lines.length && (end <= index || !/\S {2}$/.test(lines[end]!))) end++;
    const isBegun: boolean =
      isQuoted &&
      speaker !== 'model' &&
      lines[index - 1]?.trim() !== '' &&
      end < lines.length &&
      !typedLine.test(lines[end]!);
    isOutput = hasBreaks && (isOutput || isBegun) && !/\S {2}$/.test(line);
    if (next !== speaker) finish();
    speaker = next;
    spoken.push(answer ?? (next === 'person' ? line.replace(/^#### /, '') : isQuoted ? line.slice(2) : line));
  }
  finish();
  return blocks;
}

/**
 * True if a line that looks typed is a heading in a reply. Aider strips a reply and writes two blank lines before the
 * next typed line. Without breaks, a reply that begins with a heading is recognised by the blank line before it.
 */
function isOfReply(
  lines: readonly string[],
  index: number,
  before: Speaker | undefined,
  hasBreaks: boolean,
): boolean {
  const isBlank = (at: number) => lines[at]?.trim() === '';
  if (before === 'model') return !isBlank(index - 1) || !isBlank(index - 2);
  return before === 'person' && !hasBreaks && isBlank(index - 1);
}

/** @returns undefined for a blank line, which belongs to the previous speaker */
function speakerOf(line: string, hasBreaks: boolean): Speaker | undefined {
  if (hasBreaks ? typedLine.test(line) : line.startsWith('#### ')) return 'person';
  if (line.startsWith('> ')) return 'program';
  return line.trim() === '' ? undefined : 'model';
}

/** A call that the program reported, with its result. */
interface Told {
  readonly name: 'add_file' | 'edit_file' | 'run_command';
  readonly input: { readonly path: string } | { readonly command: string };
  readonly result: string;
}

const addedFile = /^Added (.+?) to the chat\.?$/;
const appliedEdit = /^Applied edit to (.+)$/;
const runCommand = /^(?:## )?Running:? (.+)$/;
const typedCommand = /(?:^|\n)(?:\/(?:run|test|git)\s+|!)(\S.*)$/;
const modelLine = /^(?:Main model|Models?): (\S+) with /m;
const tokensLine =
  /^Tokens: ([\d.,]+k?) sent,(?: ([\d.,]+k?) cache write,)?(?: ([\d.,]+k?) cache hit,)? ([\d.,]+k?) received/m;

class Chat {
  private readonly drafts: Draft[] = [];
  private calls = 0;
  private model: string | undefined;

  read(blocks: readonly Block[]): readonly Draft[] {
    for (const [index, block] of blocks.entries()) {
      const { speaker, text } = block;
      if (speaker === 'person') {
        this.drafts.push({ chat: { role: 'user', content: text }, origin: 'person' });
      } else if (speaker === 'model') {
        const chat = { role: 'assistant', content: text } as const;
        this.drafts.push({ chat, origin: 'model', modelId: this.model });
      } else this.tell(text, blocks[index - 1]);
    }
    return this.drafts;
  }

  private tell(text: string, before: Block | undefined): void {
    this.model = modelLine.exec(text)?.[1] ?? this.model;
    if (before?.speaker === 'model') this.noteUsage(text);
    const { told, rest } = toldIn(text, before);
    const ofReply = before?.speaker === 'model' ? told.filter(({ name }) => name === 'edit_file') : [];
    this.call(ofReply, true);
    this.call(
      told.filter((one) => !ofReply.includes(one)),
      false,
    );
    if (rest !== '') this.drafts.push({ chat: { role: 'user', content: rest }, origin: 'harness' });
  }

  /** @param isOfReply true if the last message made the calls; otherwise the program or the user did */
  private call(told: readonly Told[], isOfReply: boolean): void {
    if (told.length === 0) return;
    const calls = told.map(({ name, input }): ToolCall => {
      return callOf(`aider_${String(++this.calls).padStart(4, '0')}`, name, JSON.stringify(input));
    });
    const last = isOfReply ? this.drafts.pop() : undefined;
    const chat = last?.chat ?? ({ role: 'assistant', content: null } as const);
    this.drafts.push({ origin: 'harness', ...last, chat: { ...chat, tool_calls: calls } });
    told.forEach(({ name, result: content }, index) => {
      const id = calls[index]?.id ?? '';
      this.drafts.push({ chat: { role: 'tool', tool_call_id: id, name, content }, origin: 'tool' });
    });
  }

  private noteUsage(text: string): void {
    const last = this.drafts.pop();
    if (last !== undefined) this.drafts.push({ ...last, usage: usageIn(text) });
  }
}

/** Separates actions in a program's block from its other lines. Output of a command extends to the block's end. */
function toldIn(
  text: string,
  before: Block | undefined,
): { readonly told: readonly Told[]; readonly rest: string } {
  const typed = before?.speaker === 'person' ? typedCommand.exec(before.text.trimEnd())?.[1] : undefined;
  if (typed !== undefined) {
    return { told: [{ name: 'run_command', input: { command: typed }, result: text }], rest: '' };
  }
  const told: Told[] = [];
  const rest: string[] = [];
  let running: { readonly command: string; readonly lines: string[] } | undefined;
  const finish = () => {
    if (running === undefined) return;
    told.push({
      name: 'run_command',
      input: { command: running.command },
      result: running.lines.join('\n').trim(),
    });
    running = undefined;
  };
  for (const line of text.split('\n')) {
    const [added, edited, command] = [addedFile, appliedEdit, runCommand].map(
      (known) => known.exec(line.trimEnd())?.[1],
    );
    const path = added ?? edited;
    if (path !== undefined) {
      finish();
      told.push({
        name: added === undefined ? 'edit_file' : 'add_file',
        input: { path },
        result: line.trim(),
      });
    } else if (command !== undefined) {
      finish();
      running = { command, lines: [line] };
    } else (running?.lines ?? rest).push(line);
  }
  finish();
  return { told, rest: rest.join('\n').trim() };
}

/** Reads the usage. Aider states cached tokens separately from sent tokens, and rounds thousands. */
function usageIn(text: string): ReportedUsage | undefined {
  const [, sent, written, cached, received] = tokensLine.exec(text) ?? [];
  if (sent === undefined || received === undefined) return undefined;
  return {
    inputTokens: numberIn(sent),
    outputTokens: numberIn(received),
    ...(cached !== undefined && { cachedInputTokens: Math.min(numberIn(cached), numberIn(sent)) }),
    ...(written !== undefined && { cacheWriteTokens: Math.min(numberIn(written), numberIn(sent)) }),
  };
}

/** Parses `8,985` or `13k`. */
function numberIn(text: string): number {
  const number = Number(text.replaceAll(',', '').replace(/k$/, ''));
  return Math.round(text.endsWith('k') ? number * 1_000 : number);
}
