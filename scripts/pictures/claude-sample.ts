import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unseenSizes } from '../../src/transcripts/unseen-sizes.ts';
import { projectFolder } from '../project.ts';
import { createdFiles, edits, laterAnswer, laterRequest, requests, summary } from './claude-sample-story.ts';

/** The made-up folder in which Claude Code worked. Its files are those of the sample workspace. */
const folder = '/home/alex/driftwood';
const workspace = join('samples', 'workspace');
const sessionId = '4d1c8a52-7f0e-4b6e-9a37-2f6f0c9b81d4';
const start = Date.UTC(2026, 1, 3, 9);
const { system, tools } = unseenSizes['claude-code'] ?? { system: 0, tools: 0 };

/** Roughly what the provider counts. */
const charactersPerToken = 3.15;

type Fields = Readonly<Record<string, unknown>>;

/** Writes the lines of a session of Claude Code with an automatic compaction whose summary leaves facts out. */
export async function claudeSample(): Promise<string> {
  const session = new ClaudeSession();
  const files = execFileSync('git', ['ls-files', '-z', workspace], { cwd: projectFolder, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => path.slice(workspace.length + 1));
  const texts = new Map<string, string>();
  for (const file of files) texts.set(file, await readFile(join(projectFolder, workspace, file), 'utf8'));
  for (const [index, { asks, says, reads, edited, creates = [], runs, ends }] of requests.entries()) {
    session.user(asks);
    if (index === 0) for (const [file, text] of texts) session.read(file, text);
    session.say(says);
    for (const file of reads) session.read(file, texts.get(file) ?? '');
    for (const file of edited) {
      const { before, after } = edits[file];
      const text = texts.get(file) ?? '';
      if (!text.includes(before)) throw new Error(`${file} has no “${before}”.`);
      texts.set(
        file,
        text.replace(before, () => after),
      );
      session.call(
        'Edit',
        { file_path: session.pathOf(file), old_string: before, new_string: after },
        'The file has been updated.',
      );
    }
    for (const file of creates) {
      const content = createdFiles[file];
      texts.set(file, content);
      session.call(
        'Write',
        { file_path: session.pathOf(file), content },
        `File created successfully at: ${session.pathOf(file)}`,
      );
    }
    for (const [command, output, isError] of runs) session.call('Bash', { command }, output, isError);
    session.say(ends);
  }
  session.compact(summary);
  session.user(laterRequest);
  session.read('src/lock.ts', texts.get('src/lock.ts') ?? '');
  session.say(laterAnswer);
  return session.text;
}

/** The lines of a session, in Claude Code's format. Each has the one before it as its parent. */
class ClaudeSession {
  private readonly lines: Fields[] = [];
  private tokens = system + tools;

  get text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }

  pathOf(file: string): string {
    return `${folder}/${file}`;
  }

  user(content: unknown, more: Fields = {}): void {
    this.count(content);
    this.write({ type: 'user', message: { role: 'user', content }, ...more });
  }

  say(text: string): void {
    this.assistant({ type: 'text', text });
  }

  call(name: string, input: Fields, output: string, isError = false): void {
    const id = `toolu_${String(this.lines.length).padStart(4, '0')}`;
    this.assistant({ type: 'tool_use', id, name, input });
    const failed = isError ? { is_error: true } : {};
    this.user([{ type: 'tool_result', tool_use_id: id, content: output, ...failed }]);
  }

  read(file: string, text: string): void {
    const numbered = text.split('\n').map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
    this.call('Read', { file_path: this.pathOf(file) }, numbered.join('\n'));
  }

  /** Claude Code compacts: a line with the reason and the size, then the summary in the user's role. */
  compact(text: string): void {
    const compactMetadata = { trigger: 'auto', preTokens: this.tokens };
    const parent = { logicalParentUuid: this.lines.at(-1)?.['uuid'] };
    this.write({
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      compactMetadata,
      ...parent,
    });
    this.tokens = system + tools;
    this.user(text, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
  }

  private assistant(part: Fields): void {
    const usage = { input_tokens: this.tokens, output_tokens: 0 };
    this.count(part);
    const message = {
      id: `msg_${this.lines.length}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [part],
      usage,
    };
    this.write({ type: 'assistant', message });
  }

  private count(content: unknown): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    this.tokens += Math.round(text.length / charactersPerToken);
  }

  private write(fields: Fields): void {
    const index = this.lines.length;
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const parentUuid =
      fields['subtype'] === 'compact_boundary' ? null : (this.lines.at(-1)?.['uuid'] ?? null);
    const timestamp = new Date(start + index * 9_000).toISOString();
    this.lines.push({ parentUuid, ...fields, uuid, timestamp, sessionId, cwd: folder, version: '2.1.197' });
  }
}
