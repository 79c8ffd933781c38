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

/** A setting that is an object, in the form of `contributes.configuration`. */
export interface ObjectSetting extends ValueSchema {
  readonly type: 'object';
  readonly default: Readonly<Record<string, never>>;
  readonly scope: 'window';
  readonly markdownDescription: string;
  readonly order: number;
}

/** Schema of the values of a setting. */
export interface SettingValue {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly default: string | number | boolean;
  /** Scope in which it can be set; a window by default. */
  readonly scope?: 'window' | 'machine';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** Texts of a setting for people. */
export interface SettingText {
  readonly markdownDescription: string;
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly patternErrorMessage?: string;
}

/** A setting in the form of `contributes.configuration`. */
export interface SettingSchema extends SettingValue, SettingText {
  readonly scope: 'window' | 'machine';
  readonly order: number;
}
