import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { mostMemoryBytes, readText } from '../memory/memory-files.ts';
import { shownPath, type Workspace } from '../tools/workspace.ts';
import { readSkill, type SkillHead } from './front-matter.ts';

/** A skill of the workspace: how to do one thing, in a folder of its own. */
export interface Skill extends SkillHead {
  /** Its file as people read it, for example `.agents/skills/release/SKILL.md`. */
  readonly shown: string;
}

/** Where agents look for skills in a root, in this order: the first of two with one name counts. */
const places = ['.agents/skills', '.claude/skills', '.github/skills'] as const;
/** Folders that are looked into; more are no skills that anybody chose. */
const mostSkills = 100;
/** Bytes that are read of a file for what it says of itself. */
const headBytes = 8_000;

/** The skills of all roots, by place and name. A workspace that is not trusted has no roots. */
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

/** The whole text of a skill; undefined where there is none of that name. */
export async function skillText(workspace: Workspace, name: string): Promise<string | undefined> {
  for (const file of await skillFiles(workspace)) {
    const text = (await readFile(workspace, file, mostMemoryBytes)) ?? '';
    const skill = readSkill(text);
    if (skill?.name === name) return `[Skill ${name}, ${file.shown}]\n${skill.body}`;
  }
  return undefined;
}

interface SkillFile {
  /** Absolute, as it is named. */
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

/** A link that leads out of the workspace is no file of it. */
async function readFile(
  workspace: Workspace,
  file: SkillFile,
  mostBytes: number,
): Promise<string | undefined> {
  const resolution = await workspace.resolve(file.path);
  return 'refusal' in resolution ? undefined : readText(resolution.place.path, mostBytes);
}
