import { isRecord } from '../../language/is-record.ts';

/** An element of a setting that lists variables. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The parts of a list that are needed to remove added variables. Contains no other variables, which may be keys. */
export interface ReplacedVariables {
  /** False if the setting had no value. */
  readonly wasSet: boolean;
  readonly added: readonly Variable[];
  /** The user's elements with the same names. */
  readonly replaced: readonly Readonly<Record<string, unknown>>[];
}

/** Adds variables to a list, in place of the user's elements with the same names. */
export function withVariables(
  value: unknown,
  added: readonly Variable[],
): { readonly value: readonly unknown[]; readonly replaced: ReplacedVariables } {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const replaced = list.filter(isRecord).filter((one) => added.some(({ name }) => name === one['name']));
  const placed = list.flatMap((one) => {
    if (!isRecord(one) || !replaced.includes(one)) return [one];
    const isFirst = replaced.find(({ name }) => name === one['name']) === one;
    return isFirst ? added.filter(({ name }) => name === one['name']) : [];
  });
  const more = added.filter(({ name }) => replaced.every((one) => one['name'] !== name));
  return { value: [...placed, ...more], replaced: { wasSet: Array.isArray(value), added, replaced } };
}

/**
 * Removes added variables from a list, and restores the elements that they replaced. Elements that the user has changed
 * or added since then stay as they are.
 * @returns undefined if the setting had no value, and now holds no more than the added variables
 */
export function withoutVariables(value: unknown, { wasSet, added, replaced }: ReplacedVariables): unknown {
  if (!Array.isArray(value)) return value;
  const list: readonly unknown[] = value;
  const isOurs = (one: unknown): one is Variable =>
    isRecord(one) && added.some((ours) => ours.name === one['name'] && ours.value === one['value']);
  const isNamed = (name: string) => (one: unknown) => isRecord(one) && one['name'] === name;
  const left = list.flatMap((one, index) => {
    if (!isOurs(one)) return [one];
    const { name } = one;
    const isChanged = list.some((other) => isNamed(name)(other) && !isOurs(other));
    const isFirst = list.findIndex(isNamed(name)) === index;
    return isFirst && !isChanged ? replaced.filter(isNamed(name)) : [];
  });
  return left.length === 0 && !wasSet ? undefined : left;
}

/** Shows a list as a setting, without the values of variables that have nothing to do with a change. */
export function shownList(setting: string, value: unknown, { added, replaced }: ReplacedVariables): string {
  const names = [...added, ...replaced].map(({ name }) => name);
  const shown = (Array.isArray(value) ? value : []).map((one: unknown) =>
    !isRecord(one) || names.includes(String(one['name'])) ? one : { ...one, value: '…' },
  );
  const settings = Array.isArray(value) ? { [setting]: shown } : {};
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}
