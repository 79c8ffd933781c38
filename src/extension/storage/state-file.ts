import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a window comes back to after a reload or a crash. */
interface WindowState {
  /** Id of the session that was open. */
  readonly active?: string | undefined;
  /** Unsent texts by session. */
  readonly drafts: Readonly<Record<string, string>>;
}

const nothing: WindowState = { drafts: {} };

/**
 * A small file with what was open and what was being written. The editor's own memento is written with a delay of
 * seconds, which a crash takes away; this is on disk as soon as a call resolves.
 */
export class StateFile {
  private readonly path: string;
  private state: Promise<WindowState> | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  async active(): Promise<string | undefined> {
    return (await this.load()).active;
  }

  async draftOf(sessionId: string): Promise<string> {
    return (await this.load()).drafts[sessionId] ?? '';
  }

  async setActive(active: string): Promise<void> {
    const state = await this.load();
    if (state.active !== active) await this.save({ ...state, active });
  }

  /** An empty draft is none. */
  async setDraft(sessionId: string, text: string): Promise<void> {
    const state = await this.load();
    const { [sessionId]: before = '', ...others } = state.drafts;
    if (before === text) return;
    await this.save({ ...state, drafts: text === '' ? others : { ...others, [sessionId]: text } });
  }

  private load(): Promise<WindowState> {
    this.state ??= readFile(this.path, 'utf8').then(parse, () => nothing);
    return this.state;
  }

  /** Written beside and renamed into place, one after the other: a crash leaves the old state or the new one. */
  private async save(state: WindowState): Promise<void> {
    this.state = Promise.resolve(state);
    const write = async () => {
      await mkdir(dirname(this.path), { recursive: true });
      await writeFile(`${this.path}.new`, JSON.stringify(state));
      await rename(`${this.path}.new`, this.path);
    };
    this.writing = this.writing.then(write, write);
    await this.writing;
  }
}

/** The state in a text; what does not fit is left out, since nothing of it is worth an error. */
function parse(text: string): WindowState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return nothing;
  }
  if (typeof value !== 'object' || value === null) return nothing;
  const { active, drafts } = value as Readonly<Record<string, unknown>>;
  const entries = typeof drafts === 'object' && drafts !== null ? Object.entries(drafts) : [];
  return {
    ...(typeof active === 'string' ? { active } : {}),
    drafts: Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}
