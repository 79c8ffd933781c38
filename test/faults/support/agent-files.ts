import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { configFiles } from '../../../src/bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  planConnection,
  planDisconnection,
} from '../../../src/bridge/connect/config-changes.ts';
import { noteFile, type NoteKind } from '../../../src/bridge/hooks/note-files.ts';
import { claudeCodeSession, forgottenFile } from '../../support/claude-code-session.ts';
import {
  callHook,
  claudeCodeFields,
  contextIn,
  copilotCliFields,
  type HookFields,
} from '../../support/agents/hook-agents.ts';
import type { StoredFile } from './stored-files.ts';

/** Files of the state folder about other agents, by kind. */
export const agentFiles: Readonly<Record<string, (folder: string) => Promise<StoredFile>>> = {
  'notes of facts': (folder) => announced(folder, 'notes'),
  'the note of an announced compaction': (folder) => announced(folder, 'pending'),
  'the note of a session’s file': (folder) => announced(folder, 'session', copilotCliFields),
  'the note of a given answer': async (folder) => {
    const session = await HookCalls.about(folder);
    const right = await session.compacted();
    const names = await readdir(session.notes);
    return {
      path: join(
        session.notes,
        names.find((name) => name.endsWith('.given.json'))!,
      ),
      use: async () => {
        const again = await session.call('SessionStart', { source: 'compact' });
        return again === undefined || again === right ? [] : [`gave ${again}`];
      },
    };
  },
  'the log of hooks': async (folder) => {
    const session = await HookCalls.about(folder);
    await callHook('no JSON', 'Stop', session.notes);
    return {
      path: join(session.notes, 'hooks.log'),
      use: async () => {
        await callHook('no JSON', 'Stop', session.notes);
        return (await session.compacted())?.includes(forgottenFile) === true ? [] : ['gave nothing'];
      },
    };
  },
  'the receipt of a connection': async (folder) => {
    const files = configFiles(
      'claude-code',
      { program: 'node', script: '/state/bin/context-budget.mjs' },
      { home: folder, platform: 'linux', environment: {} },
    );
    const notes = join(folder, 'notes');
    for (const { path } of files) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, configuration);
    }
    await applyConfigChanges(await planConnection(files), notes);
    return {
      path: noteFile(notes, files[0]!.path, 'receipt'),
      use: async () => {
        await applyConfigChanges(await planDisconnection(files, notes), notes);
        const harm: string[] = [];
        for (const { path } of files) harm.push(...harmTo(await readFile(path, 'utf8')));
        await applyConfigChanges(await planConnection(files), notes);
        await applyConfigChanges(await planDisconnection(files, notes), notes);
        for (const { path } of files) harm.push(...harmTo(await readFile(path, 'utf8')));
        return harm;
      },
    };
  },
};

const configuration = `{
  // mine
  "theme": "dark",
  "mcpServers": { "weather": { "command": "weather" } },
  "hooks": { "PreCompact": [{ "hooks": [{ "type": "command", "command": "mine" }] }] }
}
`;

/** Text of the user that is missing, and text of ours that is left. */
function harmTo(text: string): readonly string[] {
  const errors: ParseError[] = [];
  const now = JSON.stringify(parse(text, errors));
  const right = JSON.stringify(parse(configuration));
  return errors.length === 0 && now === right && text.includes('// mine') ? [] : [`left ${text}`];
}

const lines = claudeCodeSession.trimEnd().split('\n');
const summaryAt = lines.findIndex((line) => line.includes('"isCompactSummary":true'));
const textOf = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');

/** Calls of an agent's hooks about one session. */
export class HookCalls {
  readonly path: string;
  readonly notes: string;
  private readonly fields: HookFields;

  private constructor(folder: string, fields: HookFields) {
    this.path = join(folder, 's1.jsonl');
    this.notes = join(folder, 'notes');
    this.fields = fields;
  }

  static async about(folder: string, fields: HookFields = claudeCodeFields): Promise<HookCalls> {
    const session = new HookCalls(folder, fields);
    await writeFile(session.path, textOf(lines.slice(0, summaryAt)));
    return session;
  }

  async call(event: string, more: object = {}): Promise<string | undefined> {
    const input = JSON.stringify(this.fields(event, this.path, more));
    return contextIn(await callHook(input, event, this.notes));
  }

  /** Writes the summary of a compaction, and continues. @returns the returned facts */
  async goOn(event = 'SessionStart'): Promise<string | undefined> {
    await appendFile(this.path, textOf([lines[summaryAt]!]));
    return this.call(event, { source: 'compact' });
  }

  async compacted(): Promise<string | undefined> {
    await this.call('PreCompact');
    return this.goOn();
  }
}

/** A session before its compaction. Damaged notes must not change the returned facts. */
async function announced(
  folder: string,
  kind: NoteKind,
  fields: HookFields = claudeCodeFields,
): Promise<StoredFile> {
  const event = kind === 'session' ? 'PostToolUse' : 'SessionStart';
  const whole = await HookCalls.about(await mkdirIn(folder, 'whole'), fields);
  await whole.call('PreCompact');
  const right = await whole.goOn(event);
  const session = await HookCalls.about(folder, fields);
  await session.call('PreCompact');
  return {
    path: noteFile(session.notes, kind === 'session' ? 's1' : session.path, kind),
    use: async () => {
      const given = await session.goOn(event);
      // An agent that does not name the file of its session gets nothing without the note.
      const mayBeSilent = kind === 'session';
      const again = await session.call(event, { source: 'compact' });
      await session.call('PreCompact');
      return [
        ...(given === right || (mayBeSilent && given === undefined) ? [] : [`gave ${given}, not ${right}`]),
        ...(again === undefined ? [] : [`gave again ${again}`]),
      ];
    },
  };
}

async function mkdirIn(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}
