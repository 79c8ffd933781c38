/** Metadata of a skill: the part that is always in view. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

const longestHead = 4_096;
const longestName = 64;
const longestDescription = 1_024;

/**
 * Reads the front matter of a `SKILL.md`, which anyone can have written: plain `key: value` lines, quoted texts and
 * blocks of indented lines, and nothing else of YAML. Keys other than `name` and `description` are passed over.
 *
 * @param text of the file, with line feeds
 * @returns undefined where it is no skill, or says something that is not allowed
 */
export function readSkill(text: string): (SkillHead & { readonly body: string }) | undefined {
  if (!text.startsWith('---\n')) return undefined;
  const end = text.slice(0, longestHead).indexOf('\n---', 3);
  if (end < 0) return undefined;
  const rest = /^[ \t]*(?:\n|$)/.exec(text.slice(end + 4));
  if (rest === null) return undefined;
  const fields = fieldsOf(text.slice(4, end + 1).split('\n'));
  const name = fields?.get('name') ?? '';
  const description = (fields?.get('description') ?? '').replace(/\s+/gu, ' ').trim();
  const isName = name.length <= longestName && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
  if (!isName || description === '' || description.length > longestDescription) return undefined;
  if (/\p{Cc}/u.test(description)) return undefined;
  return { name, description, body: text.slice(end + 4 + rest[0].length).trim() };
}

/** Texts by their keys; undefined where a line is none of those that are read, or a key stands there twice. */
function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    // Lists and maps below a key that nobody asks for.
    if (/^(?:\s|-\s|#|$)/.test(line)) continue;
    const field = /^([A-Za-z][\w-]*):(?:[ \t]+(\S.*))?$/.exec(line.trimEnd());
    const key = field?.[1];
    if (key === undefined || fields.has(key)) return undefined;
    const given = field?.[2] ?? '';
    if (/^[|>][+-]?$/.test(given)) {
      const block: string[] = [];
      while (/^(?:[ \t]|$)/.test(lines[index + 1] ?? '-')) block.push((lines[++index] ?? '').trim());
      fields.set(key, block.join('\n').trim());
    } else {
      const value = scalarOf(given);
      if (value !== undefined) fields.set(key, value);
    }
  }
  return fields;
}

/** A text in one line; undefined for everything else of YAML. */
function scalarOf(given: string): string | undefined {
  if (given.startsWith('"')) {
    try {
      const value: unknown = JSON.parse(given);
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }
  if (given.startsWith("'")) {
    return /^'(?:[^']|'')*'$/.test(given) ? given.slice(1, -1).replaceAll("''", "'") : undefined;
  }
  return /^[&*!|>%@`{}[\]]/.test(given) ? undefined : given.replace(/\s#.*$/u, '').trimEnd();
}
