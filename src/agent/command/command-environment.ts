/**
 * Variables that are the editor's own: with them a program would take itself for a part of it, for example Electron
 * for plain Node.
 */
const ofTheEditor =
  /^(?:VSCODE_|ELECTRON_|APPLICATION_INSIGHTS_|CHROME_DESKTOP$|ORIGINAL_XDG_|GDK_PIXBUF_|SNAP(?:_|$))/i;

/** Makes programs that would ask, page or paint do none of it. */
const withoutTerminal = {
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  NO_COLOR: '1',
  PAGER: 'cat',
  TERM: 'dumb',
} as const;

/** The environment of a command, from that of this process. */
export function commandEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const kept = Object.entries(environment).filter(([name]) => !ofTheEditor.test(name));
  return { ...Object.fromEntries(kept), ...withoutTerminal };
}
