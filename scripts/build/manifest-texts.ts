import type { SettingCategory } from '../../src/presenters/settings/configuration.ts';
import { isRecord } from '../../src/language/is-record.ts';

/** Key in the manifest → text. */
export type Texts = Readonly<Record<string, string>>;

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly altText?: string };
  readonly completionEvents: readonly string[];
}

interface Walkthrough {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly steps: readonly Step[];
}

interface Described {
  readonly description: string;
}

/** The parts of `package.json` that contain texts for users. */
export interface Manifest {
  readonly description: string;
  readonly capabilities: Readonly<Record<string, { readonly description: string }>>;
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
    }[];
    readonly views: Readonly<
      Record<
        string,
        readonly {
          readonly id: string;
          readonly name: string;
          readonly initialSize?: number;
          readonly when?: string;
        }[]
      >
    >;
    readonly walkthroughs: readonly Walkthrough[];
    readonly chatParticipants: readonly (Described & {
      readonly id: string;
      readonly commands: readonly (Described & { readonly name: string })[];
    })[];
    readonly languageModelTools: readonly { readonly name: string; readonly displayName: string }[];
    readonly configuration: readonly SettingCategory[];
  };
}

/** Stores a text of the manifest under a key and returns its placeholder. */
type Take = (key: string, text: string) => string;

/**
 * Replaces every text for users with a key, which VS Code looks up in `package.nls.json` and its translations. The
 * name of the extension is the same in every language.
 *
 * @param manifest with texts, or with keys from an earlier run
 * @param known texts of the earlier keys
 * @throws {Error} if a key has no text, or two texts have the same key
 */
export function withKeys<Given extends Manifest>(
  manifest: Given,
  known: Texts,
): { readonly manifest: Given; readonly texts: Texts } {
  const texts = new Map<string, string>();
  const take: Take = (key, given) => {
    const text = given === `%${key}%` ? known[key] : given;
    if (text === undefined || texts.has(key)) throw new Error(`${key} does not stand for one text.`);
    texts.set(key, text);
    return `%${key}%`;
  };
  const { contributes } = manifest;
  const keyed = {
    ...manifest,
    description: take('description', manifest.description),
    capabilities: mapValues(manifest.capabilities, (capability, name) => ({
      ...capability,
      description: take(`capabilities.${name}.description`, capability.description),
    })),
    contributes: {
      ...contributes,
      views: mapValues(contributes.views, (views) =>
        views.map((view) => ({ ...view, name: take(`${view.id}.name`, view.name) })),
      ),
      commands: contributes.commands.map((command) => ({
        ...command,
        title: take(`${command.command}.title`, command.title),
      })),
      walkthroughs: contributes.walkthroughs.map((walkthrough) => walkthroughWithKeys(walkthrough, take)),
      chatParticipants: contributes.chatParticipants.map((participant) => ({
        ...participant,
        description: take(`${participant.id}.description`, participant.description),
        commands: participant.commands.map((command) => ({
          ...command,
          description: take(`${participant.id}.${command.name}`, command.description),
        })),
      })),
      languageModelTools: contributes.languageModelTools.map((tool) => ({
        ...tool,
        displayName: take(`${tool.name}.title`, tool.displayName),
      })),
      configuration: contributes.configuration.map((category) => categoryWithKeys(category, take)),
    },
  };
  return { manifest: keyed, texts: Object.fromEntries(texts) };
}

function walkthroughWithKeys(walkthrough: Walkthrough, take: Take): Walkthrough {
  const withTitle = <Part extends Pick<Step, 'title' | 'description'>>(part: Part, key: string): Part => ({
    ...part,
    title: take(`${key}.title`, part.title),
    description: take(`${key}.description`, part.description),
  });
  const key = `walkthroughs.${walkthrough.id}`;
  return {
    ...withTitle(walkthrough, key),
    steps: walkthrough.steps.map((step) => {
      const { altText } = step.media;
      return {
        ...withTitle(step, `${key}.${step.id}`),
        media:
          altText === undefined
            ? step.media
            : { ...step.media, altText: take(`${key}.${step.id}.altText`, altText) },
      };
    }),
  };
}

function categoryWithKeys(category: SettingCategory, take: Take): SettingCategory {
  const name = category.title.toLowerCase().replace(/[^a-z]+/g, '-');
  return {
    ...category,
    title: take(`settings.${name}.title`, category.title),
    properties: schemasWithKeys(category.properties, '', take),
  };
}

function schemasWithKeys<Schemas extends object>(schemas: Schemas, prefix: string, take: Take): Schemas {
  return mapValues(schemas, (schema, name) =>
    schemaWithKeys(schema as object, `${prefix}${name}`, take),
  ) as Schemas;
}

/** Replaces the texts of a schema. A default is a value and no text for users, even if it contains strings. */
function schemaWithKeys(schema: object, key: string, take: Take): object {
  const choices = (Reflect.get(schema, 'enum') ?? []) as readonly string[];
  return mapValues(schema, (value: unknown, field: string): unknown => {
    const ofChoices = (suffix: string) =>
      (value as readonly string[]).map((text, index) =>
        take(`${key}.${choices[index] ?? ''}.${suffix}`, text),
      );
    switch (field) {
      case 'description':
      case 'markdownDescription':
        return take(`${key}.description`, value as string);
      case 'patternErrorMessage':
        return take(`${key}.patternErrorMessage`, value as string);
      case 'enumItemLabels':
        return ofChoices('label');
      case 'markdownEnumDescriptions':
        return ofChoices('description');
      case 'properties':
        return schemasWithKeys(value as object, `${key}.`, take);
      case 'items':
      case 'additionalProperties':
        return isRecord(value) ? schemaWithKeys(value, key, take) : value;
      default:
        return value;
    }
  });
}

function mapValues<Value, Result>(
  object: Readonly<Record<string, Value>> | object,
  map: (value: Value, name: string) => Result,
): Readonly<Record<string, Result>> {
  const entries = Object.entries(object) as readonly (readonly [string, Value])[];
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)]));
}
