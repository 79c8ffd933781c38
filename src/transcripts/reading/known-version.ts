import { importsSentences } from '../../language/imports-english.ts';

/**
 * Says that a file is in a newer version of its format than is known. What is known of it is read all the same. The version
 * of an agent's program is none of its format: only a few agents number the latter.
 *
 * @param title of the agent
 * @param found as the file states it
 * @returns the sentence as a problem, or nothing for a version that is known, and for a file that states none
 */
export function newerVersion(title: string, found: unknown, known: number): readonly string[] {
  if (typeof found !== 'number' || found <= known) return [];
  const version = { agent: title, found: String(found), known: String(known) };
  return [importsSentences.say('newerVersion', version).english];
}
