/**
 * An agent in a separate process that works in a folder: writes its session line by line, compacts it, and
 * calls our hooks, which are configured twice. Each printed line is an error, or `done` with the number of
 * calls.
 *
 * Usage: node fake-agent.ts SESSION NOTES FOLDER COMPACTIONS
 */
import { appendFileSync, mkdirSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { callHook } from '../../support/agents/hook-agents.ts';

const [session = '', notes = '', cwd = '', compactions = ''] = process.argv.slice(2);
const name = basename(session, '.jsonl');
const tell = (line: string) => writeSync(1, `${line}\n`);
let lines = 0;
let calls = 0;

function write(type: 'user' | 'assistant', content: unknown, more: object = {}): void {
  const line = { uuid: `${name}-u${++lines}`, sessionId: name, cwd, type, ...more };
  const message = { id: `${name}-m${lines}`, role: type, content };
  appendFileSync(
    session,
    `${JSON.stringify({ ...line, parentUuid: lines === 1 ? null : `${name}-u${lines - 1}`, message })}\n`,
  );
}

/** Makes the same call twice at once. @returns the returned facts */
async function call(hook_event_name: string): Promise<readonly string[]> {
  const input = JSON.stringify({
    hook_event_name,
    session_id: name,
    transcript_path: session,
    cwd,
    source: 'compact',
  });
  calls += 2;
  const answers = await Promise.all([1, 2].map(() => callHook(input, hook_event_name, notes)));
  return answers.filter((answer) => answer !== undefined);
}

mkdirSync(dirname(session), { recursive: true });
for (let round = 0; round < Number(compactions); round++) {
  const file = `src/${name}-${round}.ts`;
  write('user', `Please change ${file}, round ${round}`);
  write('assistant', [
    { type: 'tool_use', id: `${name}-c${round}`, name: 'Read', input: { file_path: file } },
  ]);
  write('user', [{ type: 'tool_result', tool_use_id: `${name}-c${round}`, content: 'text '.repeat(300) }]);
  write('assistant', [{ type: 'text', text: `Round ${round} is done.` }]);
  await call('Stop');
  await call('PreCompact');
  write('user', `Summary ${round}: work goes on.`, { isCompactSummary: true });
  const given = await call('SessionStart');
  if (given.length !== 1) tell(`${name} round ${round}: given back ${given.length} times`);
  if (given.some((answer) => !answer.includes(file)))
    tell(`${name} round ${round}: ${file} is not given back`);
  const others =
    given
      .join('')
      .match(/src\/agent\d+-\d+\.ts/gu)
      ?.filter((one) => !one.includes(name)) ?? [];
  if (others.length > 0) tell(`${name} round ${round}: given facts of others: ${others.join()}`);
  if ((await call('PostToolUse')).length > 0) tell(`${name} round ${round}: given back again`);
}
tell(`done ${calls}`);
