import { SharedFile } from '../../agent/locks/shared-file.ts';
import { isRecord } from '../../language/is-record.ts';

/** State that a window restores after a reload or a crash. */
interface WindowState {
  readonly active?: string | undefined;
  readonly drafts: Readonly<Record<string, string>>;
}

const nothing: WindowState = { drafts: {} };

/**
 * The open session and unsent text. Unlike with VS Code's own memento, they are on disk when a call resolves. Windows
 * can share the file, because nothing is cached and each change keeps the changes of other windows.
 */
export class StateFile {
  private readonly file: SharedFile;
  /** The last change of the open session. Changes are made in turn, so that the last one remains. */
  private setting: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.file = new SharedFile(path);
  }

  async active(): Promise<string | undefined> {
    return (await this.load()).active;
  }

  async draftOf(sessionId: string): Promise<string> {
    return (await this.load()).drafts[sessionId] ?? '';
  }

  setActive(active: string): Promise<void> {
    const set = this.setting.then(async () => {
      // Called for every line of a session. Reading the state is cheaper than taking the lock.
      if ((await this.active()) !== active) await this.change((state) => ({ ...state, active }));
    });
    this.setting = set.catch(() => {});
    return set;
  }

  /** Stores unsent text. Empty text removes the draft. */
  setDraft(sessionId: string, text: string): Promise<void> {
    return this.change((state) => {
      const { [sessionId]: before = '', ...others } = state.drafts;
      if (before === text) return undefined;
      return { ...state, drafts: text === '' ? others : { ...others, [sessionId]: text } };
    });
  }

  private async load(): Promise<WindowState> {
    return parse(await this.file.read().catch(() => undefined));
  }

  /** @param change returns undefined if the state need not change */
  private change(change: (state: WindowState) => WindowState | undefined): Promise<void> {
    return this.file.change((text) => {
      const state = change(parse(text));
      return state === undefined ? undefined : JSON.stringify(state);
    });
  }
}

/** Parses the state. Leaves out invalid parts, because an error would help no user. */
function parse(text = ''): WindowState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return nothing;
  }
  if (!isRecord(value)) return nothing;
  const { active, drafts } = value;
  const entries = isRecord(drafts) ? Object.entries(drafts) : [];
  return {
    ...(typeof active === 'string' ? { active } : {}),
    drafts: Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}
