/** The fake window with commands that can be registered and run, for `vi.mock('vscode', …)`. */
import { commands as plainCommands, Uri as plainUri } from './vscode-window.ts';

export * from './vscode-window.ts';

type Work = (...values: readonly unknown[]) => unknown;

/** Name → registered command. */
export const registered = new Map<string, Work>();

export function runCommand(name: string, ...values: readonly unknown[]): unknown {
  const work = registered.get(name);
  if (work === undefined) throw new Error(`There is no command ${name}.`);
  return work(...values);
}

export const commands = {
  ...plainCommands,
  registerCommand: (name: string, work: Work) => {
    registered.set(name, work);
    return { dispose: () => registered.delete(name) };
  },
};

/** A constructor function, because commands use `instanceof` to tell files from other arguments. */
export const Uri = Object.assign(function Uri() {}, plainUri);
