import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../project.ts';
import type { TurnName } from './agent.ts';
import type { Step } from './server/scripted-model.ts';
import { workFolder } from './task.ts';

/** Number of texts in the project. */
const count = 28;
/** Minimum and maximum characters of a text, which is about 2,000 to 4,000 tokens. */
const [shortest, longest] = [8_000, 16_000];

const pathOf = (index: number) => `notes/${String(index).padStart(2, '0')}.md`;

/** Path → text of each file in the project. The texts are those of installed packages, in alphabetical order. */
export async function longTaskFiles(): Promise<Readonly<Record<string, string>>> {
  const packages = join(projectFolder, 'node_modules');
  const texts: string[] = [];
  for (const name of (await readdir(packages)).sort()) {
    const text = await readFile(join(packages, name, 'README.md'), 'utf8').catch(() => '');
    if (text.length >= shortest && text.length <= longest) texts.push(text);
    if (texts.length === count) break;
  }
  return Object.fromEntries(texts.map((text, index) => [pathOf(index), text]));
}

/** The model's steps in each turn of a task that fills a window. It reads all texts, and reasons before each call. */
export function longTaskSteps(turn: TurnName): readonly Step[] {
  const read = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, step): Step => {
      const path = `${workFolder}/${pathOf(from + step)}`;
      const thought = `The text ${pathOf(from + step)} may describe the tariff, so I read it.`;
      return { do: 'read', path, thought, ...(step % 4 === 0 && { with: `Next is text ${from + step}.` }) };
    });
  switch (turn) {
    case 'first':
      return [
        ...read(0, 10),
        { do: 'run', command: 'wc -c notes/*', thought: 'How long are they?' },
        ...read(10, 18),
        { say: 'I read the first texts. None describes the tariff.' },
      ];
    case 'resumed':
      return [
        ...read(18, 24),
        { do: 'run', command: 'grep -lc tariff notes/*', thought: 'A search is faster.' },
        { say: 'The other texts have nothing either.' },
      ];
    case 'afterwards':
      return [...read(24, count), { say: 'All texts are read.' }];
    case 'compacted':
    case 'forked':
      return [];
  }
}
