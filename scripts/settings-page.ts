import type { SettingCategory, SettingSchema } from '../src/presenters/settings/configuration.ts';
import type { ObjectSetting, ValueSchema } from '../src/presenters/settings/general-settings.ts';

/** The page of all settings, relative to the project folder. */
export const settingsPagePath = 'docs/settings.md';

/** A default that is longer than this stands in a block of its own. */
const longestInlineDefault = 80;

const introduction = `# Settings

\`npm run manifest\` writes this page from the manifest; a test keeps the two equal.

- **Scope.** A _window_ setting can be set for the user, a remote machine or a workspace. A _machine_ setting can be set for the user or a remote machine only: a workspace cannot change it.
- **Restricted.** In an untrusted workspace, VS Code ignores the workspace's value of a restricted setting.
- **Objects.** A field that is left out of an object has its own default, so \`{}\` leaves all of them at theirs. \`a.b\` is the field \`b\` of the object \`a\`, \`a[].b\` a field of each item of the list \`a\`, and \`<name>\` a name of your choice.`;

/**
 * The settings as a page in Markdown, a section for each group.
 *
 * @param categories with texts, not with the keys of texts
 * @param restricted names of the settings that an untrusted workspace cannot set
 */
export function settingsPage(categories: readonly SettingCategory[], restricted: readonly string[]): string {
  const groups = categories.map(({ title, properties }) => {
    const settings = Object.entries(properties).map(([name, setting]) =>
      settingSection(name, setting, restricted.includes(name)),
    );
    return [`## ${title}`, ...settings].join('\n\n');
  });
  return `${[introduction, ...groups].join('\n\n')}\n`;
}

function settingSection(name: string, setting: SettingSchema | ObjectSetting, isRestricted: boolean): string {
  const { enum: _, ...schema } = setting;
  const facts = [
    `Type: ${typeOf(schema)}.`,
    `Default: ${inline(setting.default)}.`,
    `Scope: ${setting.scope}.`,
    ...(isRestricted ? ['Restricted.'] : []),
  ].join(' ');
  const fields = fieldsOf(setting, '');
  const lists = [choicesOf(setting), fields.map(fieldItem)].filter((items) => items.length > 0);
  const defaults = fields.filter(hasLongDefault).map(defaultBlock);
  return [
    `### \`${name}\``,
    withLinks(setting.markdownDescription),
    facts,
    ...lists.map((items) => items.join('\n')),
    ...defaults,
  ].join('\n\n');
}

interface Field {
  readonly name: string;
  readonly schema: ValueSchema;
}

/** The fields of a value and of the values in it, with their paths. */
function fieldsOf(schema: ValueSchema, path: string): readonly Field[] {
  const { properties = {}, additionalProperties: others } = schema;
  const named: readonly (readonly [string, ValueSchema])[] = [
    ...Object.entries(properties),
    ...(typeof others === 'object' ? [['<name>', others] as const] : []),
  ];
  return named.flatMap(([name, value]) => {
    const field = { name: `${path}${name}`, schema: value };
    const within = [
      ...fieldsOf(value, `${field.name}.`),
      ...(value.items === undefined ? [] : fieldsOf(value.items, `${field.name}[].`)),
    ];
    // Without a description it is a mere container.
    return value.description === undefined ? within : [field, ...within];
  });
}

function fieldItem({ name, schema }: Field): string {
  const { default: value, description = '' } = schema;
  const isShown = value !== undefined && !hasLongDefault({ name, schema });
  return `- \`${name}\` (${typeOf(schema)}${isShown ? `; ${inline(value)} by default` : ''}): ${description}`;
}

function hasLongDefault({ schema }: Field): boolean {
  return schema.default !== undefined && JSON.stringify(schema.default).length > longestInlineDefault;
}

function defaultBlock({ name, schema }: Field): string {
  return `Default of \`${name}\`:\n\n\`\`\`json\n${JSON.stringify(schema.default)}\n\`\`\``;
}

function choicesOf(setting: SettingSchema | ObjectSetting): readonly string[] {
  const choices = setting.enum ?? [];
  const { enumItemLabels = [], markdownEnumDescriptions = [] } = setting as SettingSchema;
  return choices.map(
    (choice, index) =>
      `- \`${choice}\` (${enumItemLabels[index]}): ${withLinks(markdownEnumDescriptions[index]!)}`,
  );
}

/** The type of a value in words, with its limits. */
function typeOf({ type, anyOf, enum: choices, items, minimum, maximum }: ValueSchema): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (choices !== undefined) return choices.map((choice) => inline(choice)).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}${items.enum === undefined ? 's' : ''}`;
  const limits = minimum === undefined ? '' : ` from ${number(minimum)} to ${number(maximum!)}`;
  return `${type}${limits}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function inline(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** Settings that a text refers to as VS Code understands it, as links within the page. */
function withLinks(text: string): string {
  return text.replaceAll(
    /`#(?<name>[\w.-]+)#`/gu,
    (_, name: string) => `[\`${name}\`](#${name.toLowerCase().replaceAll('.', '')})`,
  );
}
