import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../../scripts/project.ts';
import { settingsPage, settingsPagePath } from '../../../scripts/build/settings-page.ts';
import {
  restrictedSettings,
  settingCategories,
  type SettingCategory,
} from '../../../src/presenters/settings/configuration.ts';

const category: SettingCategory = {
  title: 'Engine',
  order: 1,
  properties: {
    'contextBudget.speed': {
      type: 'string',
      default: 'slow',
      enum: ['slow', 'fast'],
      scope: 'machine',
      order: 1,
      markdownDescription: 'Controls the speed, like `#contextBudget.gear#`.',
      enumItemLabels: ['Slow', 'Fast'],
      markdownEnumDescriptions: ['Saves fuel.', 'Saves time.'],
    },
    'contextBudget.gear': {
      type: 'object',
      default: {},
      scope: 'window',
      order: 2,
      markdownDescription: 'Controls the gear.',
      properties: {
        ratio: { type: 'integer', minimum: 1, maximum: 2000, default: 5, description: 'Teeth.' },
        steps: {
          type: 'array',
          description: 'Steps.',
          items: { type: 'object', properties: { name: { type: 'string', description: 'Its name.' } } },
          default: Array.from({ length: 9 }, () => ({ name: 'first' })),
        },
      },
    },
  },
};

describe('settingsPage', () => {
  it('writes docs/settings.md when npm run manifest is run', async () => {
    const path = join(projectFolder, settingsPagePath);
    const page = settingsPage(settingCategories, restrictedSettings);
    expect(readFileSync(path, 'utf8')).toBe(
      await format(page, { ...(await resolveConfig(path)), filepath: path }),
    );
  });

  it('describes type, default, scope, values and fields when a setting has them', () => {
    const [, section] = settingsPage([category], ['contextBudget.gear']).split('\n\n## ');
    expect(section).toBe(`Engine

### \`contextBudget.speed\`

Controls the speed, like [\`contextBudget.gear\`](#contextbudgetgear).

Type: string. Default: \`"slow"\`. Scope: machine.

- \`slow\` (Slow): Saves fuel.
- \`fast\` (Fast): Saves time.

### \`contextBudget.gear\`

Controls the gear.

Type: object. Default: \`{}\`. Scope: window. Restricted.

- \`ratio\` (integer from 1 to 2,000; \`5\` by default): Teeth.
- \`steps\` (list of objects): Steps.
- \`steps[].name\` (string): Its name.

Default of \`steps\`:

\`\`\`json
${JSON.stringify(Array.from({ length: 9 }, () => ({ name: 'first' })))}
\`\`\`
`);
  });

  it('describes an option that several strategies share once', () => {
    const options = (order: number) => ({
      type: 'object' as const,
      default: {},
      scope: 'window' as const,
      order,
      markdownDescription: 'Options of a strategy.',
      properties: { keep: { type: 'boolean' as const, default: true, description: 'Keeps it.' } },
    });
    const strategies = {
      title: 'Strategies',
      order: 2,
      properties: {
        'contextBudget.strategies.one': options(1),
        'contextBudget.strategies.two': options(2),
      },
    };
    const [, section] = settingsPage([strategies], ['contextBudget.strategies.two']).split('\n\n### ');
    expect(section).toBe(
      '`contextBudget.strategies.one`\n\n- `keep` (boolean; `true` by default): Keeps it.',
    );
    expect(settingsPage([strategies], ['contextBudget.strategies.two'])).toMatch(
      /### `contextBudget\.strategies\.two`\n\nRestricted\.\n\n- `keep`: as in \[`contextBudget\.strategies\.one`\]\(#contextbudgetstrategiesone\)\n$/u,
    );
  });
});
