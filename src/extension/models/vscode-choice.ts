/** What is used of a `LanguageModelChat` to tell it from others. */
export interface VscodeModelNames {
  readonly vendor: string;
  readonly id: string;
  readonly family: string;
  readonly name: string;
}

/** How a model is named in the settings: with its vendor, because ids are unique within one only. */
export function vscodeModelName({ vendor, id }: Pick<VscodeModelNames, 'vendor' | 'id'>): string {
  return `${vendor}/${id}`;
}

/** The model of that name. Of several names that fit the more exact one counts; of models, the first. */
export function findVscodeModel<Model extends VscodeModelNames>(
  models: readonly Model[],
  name: string,
): Model | undefined {
  const wanted = name.trim().toLowerCase();
  const namesOf: readonly ((model: Model) => string)[] = [
    vscodeModelName,
    ({ id }) => id,
    ({ vendor, family }) => `${vendor}/${family}`,
    ({ family }) => family,
    ({ name: shown }) => shown,
  ];
  for (const nameOf of namesOf) {
    const found = models.find((model) => nameOf(model).toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
