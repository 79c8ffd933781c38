/** The part of JSON Schema that VS Code's settings editor understands. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: boolean | ValueSchema;
  readonly anyOf?: readonly ValueSchema[];
  readonly description?: string;
  readonly default?: unknown;
}

/** An option of a strategy in the form of `contributes.configuration`. */
export interface OptionSetting extends ValueSchema {
  readonly default: unknown;
  readonly scope: 'window';
  readonly markdownDescription: string;
  readonly order: number;
}

/** A setting that is an object, in the form of `contributes.configuration`. */
export interface ObjectSetting extends ValueSchema {
  readonly type: 'object';
  readonly default: Readonly<Record<string, never>>;
  readonly scope: 'window';
  readonly markdownDescription: string;
  readonly order: number;
}

/** A setting in the form of `contributes.configuration`. */
export interface SettingSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly default: string | number | boolean;
  readonly scope: 'window' | 'machine';
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly order?: number;
}
