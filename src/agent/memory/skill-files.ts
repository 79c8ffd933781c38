import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { shownPath, type Workspace } from '../files/workspace.ts';
import { mostMemoryBytes, readText } from './memory-files.ts';

/** A skill of the workspace: instructions for one kind of task, in their own folder. */
export interface Skill extends SkillHead {
  /** Path of the skill's file as shown to the user, for example `.agents/skills/release/SKILL.md`. */
  readonly shown: string;
}

/** Folders of a root where agents look for skills, in this order. The first of two skills with one name is used. */
const places = ['.agents/skills', '.claude/skills', '.github/skills'] as const;
/** Maximum number of folders examined, far more than a user needs. */
const mostSkills = 100;
/** Maximum bytes read from a file to find its metadata. */
const headBytes = 8_000;

/** Finds the skills of all roots, in the order of the folders and names. An untrusted workspace has no roots. */
export async function findSkills(workspace: Workspace): Promise<readonly Skill[]> {
  const skills = new Map<string, Skill>();
  for (const file of await skillFiles(workspace)) {
    const skill = readSkill((await readFile(workspace, file, headBytes)) ?? '');
    if (skill === undefined || skills.has(skill.name)) continue;
    const { name, description } = skill;
    skills.set(name, { name, description, shown: file.shown });
  }
  return [...skills.values()];
}

/** Returns the whole text of a skill; undefined if the name is unknown. */
export async function skillText(workspace: Workspace, name: string): Promise<string | undefined> {
  for (const file of await skillFiles(workspace)) {
    const text = (await readFile(workspace, file, mostMemoryBytes)) ?? '';
    const skill = readSkill(text);
    if (skill?.name === name) return `[Skill ${name}, ${file.shown}]\n${skill.body}`;
  }
  return undefined;
}

interface SkillFile {
  readonly path: string;
  readonly shown: string;
}

async function skillFiles(workspace: Workspace): Promise<readonly SkillFile[]> {
  const files: SkillFile[] = [];
  const roots = await workspace.roots();
  for (const root of roots) {
    for (const place of places) {
      const folder = await workspace.resolve(path.join(root.path, place));
      if ('refusal' in folder) continue;
      const names = await readdir(folder.place.path).catch((): string[] => []);
      for (const name of names.toSorted()) {
        const file = path.join(root.path, place, name, 'SKILL.md');
        files.push({ path: file, shown: shownPath(root, file, roots) });
      }
    }
  }
  return files.slice(0, mostSkills);
}

/** Reads a file. Ignores a link out of the workspace. */
async function readFile(
  workspace: Workspace,
  file: SkillFile,
  mostBytes: number,
): Promise<string | undefined> {
  const resolution = await workspace.resolve(file.path);
  return 'refusal' in resolution ? undefined : readText(resolution.place.path, mostBytes);
}

interface SkillHead {
  readonly name: string;
  readonly description: string;
}

const longestHead = 4_096;
const longestName = 64;
const longestDescription = 1_024;

/** Reads the front matter of a `SKILL.md`: lines `key: value`, and blocks. @returns undefined for other YAML */
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

/** Reads strings by key; undefined if a line is not supported or a key is repeated. */
function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    // Skips lists and maps below an ignored key, comments and blank lines.
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

/** Reads a string in one line; undefined for any other YAML. */
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
