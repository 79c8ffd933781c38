import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { strategyCatalogue } from '../../compaction/strategies/index.ts';
import { machineSettings, strategySetting } from './general-settings.ts';
import { isRecord } from '../../language/is-record.ts';

/** A setting of earlier versions, and the setting that replaces it. Names have no section prefix. */
interface OldSetting {
  readonly name: string;
  readonly setting: string;
  /** The field of the current setting, if the setting is an object. */
  readonly field?: string;
}

const strategies: readonly Strategy[] = Object.values(strategyCatalogue);

/** All settings of earlier versions that are still read. */
export const oldSettings: readonly OldSetting[] = [
  { name: 'triggerTokens', setting: 'triggers', field: 'tokens' },
  { name: 'triggerMessages', setting: 'triggers', field: 'messages' },
  { name: 'triggerTurns', setting: 'triggers', field: 'turns' },
  { name: 'triggerPlanStep', setting: 'triggers', field: 'planStep' },
  { name: 'background', setting: 'triggers', field: 'background' },
  { name: 'reservedOutput', setting: 'triggers', field: 'reservedOutput' },
  { name: 'maxSummaryRequests', setting: 'spendingLimit', field: 'requests' },
  { name: 'maxSummaryTokens', setting: 'spendingLimit', field: 'tokens' },
  { name: 'api', setting: 'endpoint', field: 'api' },
  { name: 'azureApiVersion', setting: 'endpoint', field: 'azureApiVersion' },
  { name: 'cacheMarks', setting: 'endpoint', field: 'cacheMarks' },
  { name: 'commandSandbox', setting: 'safety', field: 'commandSandbox' },
  { name: 'durability', setting: 'safety', field: 'durability' },
  { name: 'customStrategy', setting: strategySetting('custom'), field: 'module' },
  ...strategies
    .filter(({ id }) => id !== 'custom')
    .flatMap(({ id, options }) =>
      Object.keys(options).map((option): OldSetting => {
        const name = oldOptionSetting(id, option);
        if (option === 'focus') return { name, setting: 'focus' };
        if (option === 'model') return { name, setting: 'compactionModel' };
        return { name, setting: strategySetting(id), field: option };
      }),
    ),
];

const oldNames: ReadonlySet<string> = new Set(oldSettings.map(({ name }) => name));

export function isOldSetting(name: string): boolean {
  return oldNames.has(name);
}

const personalNames: ReadonlySet<string> = new Set([
  ...machineSettings,
  ...oldSettings.filter(({ setting }) => machineSettings.has(setting)).map(({ name }) => name),
]);

/** True for settings that no folder may set. VS Code does not enforce this for settings of earlier versions. */
export function isPersonalSetting(name: string): boolean {
  return personalNames.has(name);
}

export function oldOptionSetting(strategyId: string, option: string): string {
  const camelCase = strategyId.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  return `${camelCase}.${option}`;
}

/** Reads a setting by its name; undefined if it is not set. */
type Reader = (name: string) => unknown;

/** Returns an object setting with fields from earlier settings. The object's own values take precedence. */
export function withOldFields(setting: string, get: Reader): unknown {
  const given = get(setting);
  const earlier = oldSettings.flatMap(({ name, setting: now, field }) => {
    const value = now === setting && field !== undefined ? get(name) : undefined;
    return field === undefined || value === undefined || value === null ? [] : [[field, value] as const];
  });
  if (earlier.length === 0) return given;
  return given === undefined || isRecord(given) ? { ...Object.fromEntries(earlier), ...given } : given;
}

/** Values to write and to remove in one scope. */
export interface SettingsMove {
  readonly write: readonly (readonly [name: string, value: unknown])[];
  readonly remove: readonly string[];
}

/** The changes that move the old settings of one scope, as read by `get`; undefined if no setting needs to move. */
export function settingsMove(get: Reader): SettingsMove | undefined {
  const found = oldSettings.filter(({ name }) => get(name) !== undefined);
  if (found.length === 0) return undefined;
  const write = [...new Set(found.map(({ setting }) => setting))].map((setting) => {
    const isShared = found.some((old) => old.setting === setting && old.field === undefined);
    return [setting, isShared ? sharedValue(setting, found, get) : withOldFields(setting, get)] as const;
  });
  return { write, remove: found.map(({ name }) => name) };
}

/** Text of an option that was once set per strategy: the current setting, or else old texts (all for `focus`). */
function sharedValue(setting: string, found: readonly OldSetting[], get: Reader): unknown {
  const own = get(setting);
  if (typeof own === 'string' && own.trim() !== '') return own;
  const said = found.filter((old) => old.setting === setting).map(({ name }) => get(name));
  const texts = [...new Set(said.filter((text) => typeof text === 'string' && text.trim() !== ''))];
  return setting === 'focus' ? texts.join('\n') : (texts[0] ?? '');
}
