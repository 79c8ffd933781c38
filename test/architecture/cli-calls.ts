import { runCommand } from '../support/command-line.ts';
import type { MarkdownPage } from './markdown-page.ts';

/** Pages that name options of the command line without a command. */
const optionPages = new Set(['README.md', 'docs/cli.md']);

const help = await runCommand('--help');
/** The commands that the help lists. */
export const cliCommandNames: readonly string[] = [...help.out.matchAll(/^ {2}(?<name>[a-z]+)/gmu)].map(
  ({ groups }) => groups!['name']!,
);

/** A command and one of its options, `count --json`; the command alone; or an option of any command, `--json`. */
export function cliCallsOn({ path, text, spans, codeLines }: MarkdownPage): readonly string[] {
  const whole = [...spans, ...codeLines].flatMap((code) =>
    [...code.matchAll(/(?:^|\s)(?:context-budget|dist\/cli\.js) (?<call>[a-z].*)/gu)].map(
      ({ groups }) => groups!['call']!,
    ),
  );
  const shortened = spans.filter((span) => /^[a-z]+(?: --[\w-]+)+$/u.test(span));
  const sections = path === 'docs/cli.md' ? text.split(/^### /mu).slice(1) : [];
  const ofSections = sections.map((section) => {
    const [own = ''] = section.split(/^## /mu);
    const [, name = ''] = /^`(?<name>[a-z]+)`/u.exec(own) ?? [];
    return `${name} ${[...own.matchAll(/`(?<option>--[\w-]+)/gu)].map(({ groups }) => groups!['option']).join(' ')}`;
  });
  const calls = [...whole, ...shortened, ...ofSections].flatMap((call) => {
    const [name = '', ...words] = call.split(/\s+/u);
    return [name, ...optionsIn(words).map((option) => `${name} ${option}`)];
  });
  const bare = optionPages.has(path)
    ? spans.filter((span) => span.startsWith('--')).flatMap((span) => optionsIn(span.split(' ')))
    : [];
  return [...calls, ...bare];
}

function optionsIn(words: readonly string[]): readonly string[] {
  return words.filter((word) => /^--[a-z][\w-]*$/u.test(word));
}

/** True if the command line has the command and the command takes the option. */
export async function cliTakes(call: string): Promise<boolean> {
  if (call.startsWith('--')) {
    const taken = await Promise.all(cliCommandNames.map((name) => takes(name, call)));
    return taken.includes(true);
  }
  const [name = '', option = '--help'] = call.split(' ');
  return takes(name, option);
}

/**
 * Tries it. An option without its value, or a command without its file, is refused before it has an effect.
 */
async function takes(name: string, option: string): Promise<boolean> {
  // This command never refuses anything, and waits for a call.
  if (name === 'hook') return option === '--help';
  const { notes } = await runCommand(name, option);
  return !notes.some((note) => note.includes('Unknown'));
}
