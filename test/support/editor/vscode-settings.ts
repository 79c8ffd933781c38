/** The fake window with settings, pickers and input boxes, for `vi.mock('vscode', …)`. */
import {
  choices,
  EventEmitter,
  never,
  notices,
  Uri,
  window as plainWindow,
  workspace as plainWorkspace,
} from './vscode-window.ts';

export * from './vscode-window.ts';

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
/** An editor without ripgrep. */
export const env = { language: 'en', appRoot: '/nowhere' };
export const QuickPickItemKind = { Separator: -1 } as const;

/** Settings by their full names, in each scope. */
export const levels = {
  global: new Map<string, unknown>(),
  workspace: new Map<string, unknown>(),
  folder: new Map<string, unknown>(),
};

/** A picker or an input box that was shown. */
export interface Question {
  readonly title: string | undefined;
  /** Entries of a picker, with their details. */
  readonly entries: readonly string[];
  /** Reason why an input box refused the typed text. */
  readonly refused?: unknown;
}
/** Questions that were asked, newest last. */
export const questions: Question[] = [];
/** Answers to the next pickers and input boxes; undefined closes one. */
export const answers: (string | undefined)[] = [];

/** Resets all settings, messages and questions. */
export function resetEditor(): void {
  for (const values of Object.values(levels)) values.clear();
  for (const list of [questions, answers, notices, choices]) list.length = 0;
  Object.assign(workspace, {
    isTrusted: true,
    workspaceFile: undefined,
    workspaceFolders: [{ uri: Uri.file('/project') }],
  });
}

interface Entry {
  readonly label: string;
  readonly description?: string;
  readonly kind?: number;
}

/** Shows a picker and chooses the entry of the next answer. */
function choose(title: string | undefined, entries: readonly Entry[]): Entry | undefined {
  const listed = entries.filter(({ kind }) => kind === undefined);
  const entryTexts = listed.map(({ label, description }) => [label, description ?? ''].join(' ').trim());
  questions.push({ title, entries: entryTexts });
  const answer = answers.shift();
  return listed.find(({ label }) => label === answer);
}

/** A picker that is created before it is shown. It closes after one answer. */
class FakeQuickPick {
  title: string | undefined;
  items: readonly Entry[] = [];
  activeItems: readonly Entry[] = [];
  private readonly accepted = new EventEmitter<void>();
  private readonly hidden = new EventEmitter<void>();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;

  show(): void {
    const chosen = choose(this.title, this.items);
    if (chosen === undefined) return this.hide();
    this.activeItems = [chosen];
    this.accepted.fire();
  }
  hide(): void {
    this.hidden.fire();
  }
  dispose(): void {
    this.accepted.dispose();
    this.hidden.dispose();
  }
}

export const window = {
  ...plainWindow,
  createQuickPick: () => new FakeQuickPick(),
  showQuickPick: (entries: readonly Entry[], { title }: { readonly title?: string } = {}) =>
    Promise.resolve(choose(title, entries)),
  /** As in the editor, the input box stays open until the typed text is valid or the user closes the box. */
  showInputBox: ({ title, validateInput }: InputBox) => {
    for (;;) {
      const typed = answers.shift();
      const refused = typed === undefined ? undefined : validateInput?.(typed);
      questions.push({ title, entries: [], ...(refused === undefined ? {} : { refused }) });
      if (refused === undefined) return Promise.resolve(typed);
    }
  },
};

interface InputBox {
  readonly title?: string;
  readonly validateInput?: (typed: string) => unknown;
}

/** Like the editor's event, fires after a setting has changed. */
export const configured = new EventEmitter<unknown>();

export const workspace = Object.assign(plainWorkspace, {
  onDidChangeConfiguration: configured.event,
  onDidChangeWorkspaceFolders: never,
  onDidGrantWorkspaceTrust: never,
  getConfiguration: (section: string) => ({
    get: (name: string) =>
      [levels.folder, levels.workspace, levels.global]
        .map((values) => values.get(`${section}.${name}`))
        .find((value) => value !== undefined),
    inspect: (name: string) => ({
      globalValue: levels.global.get(`${section}.${name}`),
      workspaceValue: levels.workspace.get(`${section}.${name}`),
      workspaceFolderValue: levels.folder.get(`${section}.${name}`),
    }),
    update: (name: string, value: unknown, target: 1 | 2 | 3) => {
      const values = [levels.global, levels.workspace, levels.folder][target - 1]!;
      if (value === undefined) values.delete(`${section}.${name}`);
      else values.set(`${section}.${name}`, value);
      return Promise.resolve();
    },
  }),
});
