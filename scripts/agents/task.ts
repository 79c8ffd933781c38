import type { ScriptDetails, TurnName } from './agent.ts';
import { type Step, subTask } from './server/scripted-model.ts';

/** Folder in which the agents work. */
export const workFolder = '/home/user/project';

const zones = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    return `export const ${name}${index} = { base: ${100 + index}, perKilo: ${7 + (index % 5)} };\n`;
  }).join('');

/** Path → text of each file in the project on which the agents work. */
export const projectFiles: Readonly<Record<string, string>> = {
  'README.md': '# Parcel\n\nComputes parcel prices. Prices come from src/alpha.ts.\n',
  'AGENTS.md': 'Use tabs.\n',
  'src/alpha.ts': `// alpha: tariff zones\n${zones('zone', 40)}export const discount = 5;\n`,
  'src/beta.ts': `// beta: surcharges\n${zones('extra', 24)}`,
  'src/legacy.ts': '// legacy\nexport const old = true;\n',
};

/** The user's prompt in each turn. */
export const prompts: Readonly<Record<Exclude<TurnName, 'compacted'>, string>> = {
  first:
    'Raise the discount in src/alpha.ts to 7. Never change src/legacy.ts, and always keep prices in cents. We decided to use PostgreSQL 16 for storage.',
  resumed: 'Read src/beta.ts as well, and say whether its surcharges fit.',
  afterwards: 'What is left to do?',
  forked: 'In this copy of the session, name the files that you changed.',
};

/** The command that the agents' configurations forbid. */
export const forbidden = 'rm -rf src/legacy.ts';
/** Line with an error, which a compaction might lose. */
export const failure = 'TypeError: tariff is undefined';

/** The model's steps in each turn. Steps for which the agent has no tool are skipped. */
export function stepsOf(turn: TurnName, details: ScriptDetails = {}): readonly Step[] {
  const { delegateArguments = {}, afterDelegation = [], fullAt, isFullAtEnd = false } = details;
  const full = fullAt === undefined ? {} : { usage: fullAt };
  switch (turn) {
    case 'first':
      return [
        { do: 'read', path: `${workFolder}/src/alpha.ts`, with: 'I read the zones first.' },
        { do: 'run', command: 'grep -c zone src/alpha.ts src/beta.ts' },
        {
          do: 'edit',
          path: `${workFolder}/src/alpha.ts`,
          old: 'export const discount = 5;',
          new: 'export const discount = 7;',
        },
        { do: 'run', command: `node -e 'console.error("${failure}"); process.exit(3)'` },
        { do: 'run', command: forbidden },
        { do: 'delegate', task: subTask, arguments: delegateArguments },
        ...afterDelegation,
        { do: 'call', tool: 'context_usage', arguments: {} },
        { say: 'The discount is 7 now, and the tariff test still fails.' },
      ];
    case 'resumed':
      return [
        { do: 'read', path: `${workFolder}/src/beta.ts`, ...(isFullAtEnd ? {} : full) },
        { do: 'run', command: 'ls src' },
        { do: 'call', tool: 'what_was_lost', arguments: {} },
        { do: 'call', tool: 'search_history', arguments: { query: 'discount' } },
        { say: 'The surcharges fit.', ...(isFullAtEnd ? full : {}) },
      ];
    case 'compacted':
      return [];
    case 'afterwards':
      return [{ do: 'run', command: 'echo checked' }, { say: 'Only the tariff test is left.' }];
    case 'forked':
      return [{ say: 'I changed src/alpha.ts.' }];
  }
}
