import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A home folder with sessions of four agents, in files of 20 to 60 kB. */
export interface SessionHome {
  /** Absolute paths of the files, oldest first. The oldest and one of every hundred are about the folder. */
  readonly files: readonly string[];
  /** The folder whose sessions are asked for. */
  readonly folder: string;
}

const projects = 100;
/** Files written at the same time. */
const atOnce = 64;

/** Writes sessions of a hundred projects. Each is a minute newer than the one before; the newest is an hour old. */
export async function writeSessionHome(home: string, count: number): Promise<SessionHome> {
  const folder = join(home, 'projects', 'project-0');
  await mkdir(folder, { recursive: true });
  const newest = Date.now() - 3_600_000;
  const files: string[] = [];
  for (let start = 0; start < count; start += atOnce) {
    const indexes = Array.from({ length: Math.min(atOnce, count - start) }, (_, offset) => start + offset);
    const written = indexes.map(async (index) => {
      const cwd = join(home, 'projects', `project-${index % projects}`);
      // Each agent works in every project.
      const write = agents[Math.floor(index / projects) % agents.length]!;
      const { path, text } = write(index, cwd);
      const file = join(home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      const changed = new Date(newest - (count - index) * 60_000);
      await utimes(file, changed, changed);
      return file;
    });
    files.push(...(await Promise.all(written)));
  }
  return { files, folder };
}

interface WrittenSession {
  /** Path below the home folder. */
  readonly path: string;
  readonly text: string;
}

const agents: readonly ((index: number, cwd: string) => WrittenSession)[] = [
  claudeCode,
  codex,
  copilotCli,
  geminiCli,
];

const timestamp = '2026-02-03T04:05:06.000Z';
const lines = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const asked = (index: number) => `Errand ${index}: find out why the build is slow, and mend it.`;

/** Outputs of tools, 20 to 60 kB together. */
function outputs(index: number): readonly string[] {
  const line = `src/part-${index}/module.ts(12,5): the type of "depth" is not known here.\n`;
  return Array.from({ length: 5 + (index % 11) }, (_, at) => `${at}\n${line.repeat(54)}`);
}

function claudeCode(index: number, cwd: string): WrittenSession {
  const row = (type: string, content: unknown, more: object = {}) => {
    const message = { role: type, content, ...more };
    return { parentUuid: null, isSidechain: false, cwd, sessionId: `${index}`, type, message, timestamp };
  };
  const usage = { input_tokens: 40_000 + index, output_tokens: 100 };
  return {
    path: `.claude/projects/${cwd.replaceAll(/[^a-zA-Z\d]/g, '-')}/${index}.jsonl`,
    text: lines([
      row('user', asked(index)),
      ...outputs(index).map((content) => row('user', [{ type: 'tool_result', tool_use_id: 't', content }])),
      row('assistant', [{ type: 'text', text: 'Done.' }], { id: 'r1', model: 'claude-sonnet-4-5', usage }),
    ]),
  };
}

function codex(index: number, cwd: string): WrittenSession {
  const day = new Date(Date.UTC(2026, 0, 1 + (index % 300))).toISOString().slice(0, 10);
  const item = (payload: object) => ({ timestamp, type: 'response_item', payload });
  const info = {
    last_token_usage: { input_tokens: 50_000, output_tokens: 100 },
    model_context_window: 272_000,
  };
  const text = 'You work in the folder of the person. '.repeat(300);
  return {
    path: `.codex/sessions/${day.replaceAll('-', '/')}/rollout-${index}.jsonl`,
    text: lines([
      { timestamp, type: 'session_meta', payload: { id: `${index}`, cwd, base_instructions: { text } } },
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: asked(index) }] }),
      ...outputs(index).map((output) => item({ type: 'function_call_output', call_id: 'c1', output })),
      { timestamp, type: 'event_msg', payload: { type: 'token_count', info } },
    ]),
  };
}

function copilotCli(index: number, cwd: string): WrittenSession {
  const event = (type: string, data: object) => ({ type, data, id: `${index}`, timestamp });
  return {
    path: `.copilot/session-state/${index}/events.jsonl`,
    text: lines([
      event('session.start', { sessionId: `${index}`, context: { cwd } }),
      event('user.message', { content: asked(index) }),
      ...outputs(index).map((content) => event('tool.execution_complete', { result: { content } })),
      event('session.shutdown', { currentTokens: 40_000, tokenLimit: 200_000 }),
    ]),
  };
}

function geminiCli(index: number, cwd: string): WrittenSession {
  const project = cwd.replaceAll(/[^a-zA-Z\d]/g, '-');
  const message = (id: string, type: string, content: unknown) => ({ id, timestamp, type, content });
  return {
    path: `.gemini/tmp/${project}/chats/session-${index}.jsonl`,
    text: lines([
      { sessionId: `${index}`, projectHash: project, directories: [cwd], startTime: timestamp },
      message('u', 'user', [{ text: asked(index) }]),
      ...outputs(index).map((output, at) => message(`g${at}`, 'gemini', output)),
      { ...message('g', 'gemini', 'Done.'), tokens: { input: 40_000, output: 10 }, model: 'gemini-3-pro' },
    ]),
  };
}
