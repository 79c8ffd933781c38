import { SharedFile } from '../../agent/locks/shared-file.ts';
import { isRecord } from '../../language/is-record.ts';

/** State that a window comes back to after a reload or a crash. */
interface WindowState {
  /** Id of the session that was open. */
  readonly active?: string | undefined;
  /** Unsent texts by session. */
  readonly drafts: Readonly<Record<string, string>>;
}

const nothing: WindowState = { drafts: {} };

/**
 * A small file with what was open and what was being written. The editor's own memento is written with a delay of
 * seconds, which a crash takes away; this is on disk as soon as a call resolves. Windows can share it: nothing is kept
 * in memory, and a change leaves alone what another window has changed.
 */
export class StateFile {
  private readonly file: SharedFile;
  /** One change of what is open after the other, so that the last one counts. */
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
      // Every line of a session asks for it: looking is cheaper than taking the lock.
      if ((await this.active()) !== active) await this.change((state) => ({ ...state, active }));
    });
    this.setting = set.catch(() => {});
    return set;
  }

  /** An empty draft is none. */
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

  /** @param change returns undefined if there is nothing to change */
  private change(change: (state: WindowState) => WindowState | undefined): Promise<void> {
    return this.file.change((text) => {
      const state = change(parse(text));
      return state === undefined ? undefined : JSON.stringify(state);
    });
  }
}

/** The state in a string; what does not fit is left out, since nothing of it is worth an error. */
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
