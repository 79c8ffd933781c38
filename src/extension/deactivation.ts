const endings: (() => Promise<void>)[] = [];

/** Calls a function when the extension is to end; the editor waits a few seconds for it. */
export function onDeactivate(ending: () => Promise<void>): void {
  endings.push(ending);
}

/** Gives back what other windows wait for. */
export async function deactivate(): Promise<void> {
  await Promise.allSettled(endings.map((ending) => ending()));
}
