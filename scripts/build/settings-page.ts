import type { SettingCategory, SettingSchema } from '../../src/presenters/settings/configuration.ts';
import {
  type ObjectSetting,
  section,
  strategySetting,
  type ValueSchema,
} from '../../src/presenters/settings/general-settings.ts';

/** Path of the page with all settings, relative to the project's folder. */
export const settingsPagePath = 'docs/settings.md';

/** Maximum characters of a default that is written in the line. Longer defaults are blocks. */
const longestInlineDefault = 80;

const introduction = `# Settings

\`npm run manifest\` writes this page from the manifest; a test keeps the two equal.

- **Scope.** A _window_ setting can be set for the user, a remote machine or a workspace. A _machine_ setting can be set for the user or a remote machine only: a workspace cannot change it.
- **Restricted.** In an untrusted workspace, VS Code ignores the workspace's value of a restricted setting.
- **Objects.** A field that is left out of an object has its own default, so \`{}\` leaves all of them at theirs. \`a.b\` is the field \`b\` of the object \`a\`, \`a[].b\` a field of each item of the list \`a\`, and \`<name>\` a name of your choice.`;

/**
 * The settings as a Markdown page, with a section for each group.
 *
 * @param categories settings with texts instead of keys
 * @param restricted names of the settings that an untrusted workspace cannot set
 */
export function settingsPage(categories: readonly SettingCategory[], restricted: readonly string[]): string {
  const isOfStrategy = (name: string): boolean => name.startsWith(`${section}.${strategySetting('')}`);
  const known = new Map<string, string>();
  const groups = categories.map(({ title, properties }) => {
    const settings = Object.entries(properties).map(([name, setting]) =>
      isOfStrategy(name)
        ? optionsSection(name, setting, restricted.includes(name), known)
        : settingSection(name, setting, restricted.includes(name)),
    );
    const aboutOptions = Object.keys(properties).some(isOfStrategy) ? [optionsIntroduction] : [];
    return [`## ${title}`, ...aboutOptions, ...settings].join('\n\n');
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
  const choices = name === `${section}.strategy` ? strategiesOf(setting) : choicesOf(setting);
  const lists = [choices, fields.map(fieldItem)].filter((items) => items.length > 0);
  const defaults = fields.filter(hasLongDefault).map(defaultBlock);
  return [
    `### \`${name}\``,
    withLinks(setting.markdownDescription),
    facts,
    ...lists.map((items) => items.join('\n')),
    ...defaults,
  ].join('\n\n');
}

const optionsIntroduction = `Each is an object with scope _window_ and default \`{}\`. [Strategies](strategies.md#one-by-one) describes the strategies themselves.`;

/**
 * The section about the options of a strategy.
 *
 * @param known places of earlier descriptions; an option that several strategies share is described only once
 */
function optionsSection(
  name: string,
  setting: SettingSchema | ObjectSetting,
  isRestricted: boolean,
  known: Map<string, string>,
): string {
  const heading = `\`${name}\``;
  const fields = fieldsOf(setting, '');
  const items = fields.map((field) => {
    const item = fieldItem(field);
    const place = known.get(item);
    if (place === undefined) known.set(item, heading);
    return place === undefined ? item : `- \`${field.name}\`: as in [${place}](#${anchorOf(place)})`;
  });
  return [
    `### ${heading}`,
    ...(isRestricted ? ['Restricted.'] : []),
    items.join('\n'),
    ...fields.filter(hasLongDefault).map(defaultBlock),
  ].join('\n\n');
}

interface Field {
  readonly name: string;
  readonly schema: ValueSchema;
}

/** The fields of a value, including nested fields, with their paths. */
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
    // A field without a description only contains other fields.
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

/** The strategies by id, each with a link to its description on another page. */
function strategiesOf(setting: SettingSchema | ObjectSetting): readonly string[] {
  const { enumItemLabels = [] } = setting as SettingSchema;
  const links = (setting.enum ?? []).map((id, index) => {
    const heading = `${enumItemLabels[index]} ${String(id)}`.toLowerCase().replaceAll(' ', '-');
    return `[\`${String(id)}\`](strategies.md#${heading})`;
  });
  return [`One of ${links.join(', ')}.`];
}

/** The type of a value in words, including its limits. */
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

/** Converts references to settings in VS Code's notation to links within the page. */
function withLinks(text: string): string {
  return text.replaceAll(/`#(?<name>[\w.-]+)#`/gu, (_, name: string) => `[\`${name}\`](#${anchorOf(name)})`);
}

/** The anchor of a heading that consists of the name of a setting. */
function anchorOf(name: string): string {
  return name.toLowerCase().replaceAll(/[.`]/gu, '');
}
