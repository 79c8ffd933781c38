import { readAgentPatch } from './agent-patch.ts';
import { FileEditError } from './file-editor.ts';
import type { FilePatch } from './file-patch.ts';
import { readUnifiedPatch } from './unified-patch.ts';

/**
 * Reads a patch: `*** Begin Patch` with its sections, or a unified diff of one file or several.
 *
 * @throws {FileEditError} for what is neither, or is cut off
 */
export function readPatch(text: string): readonly FilePatch[] {
  const lines = text.split('\n');
  const isAgentPatch = lines.some((line) => line.trim() === '*** Begin Patch');
  const files = isAgentPatch ? readAgentPatch(lines) : readUnifiedPatch(lines);
  if (files.length === 0) throw new FileEditError('The patch names no file to change.');
  return files;
}

/** The paths that a patch names, found without reading the rest of it. */
export function pathsIn(text: string): readonly string[] {
  const named = [
    ...text.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |(?:---|\+\+\+) (?:[ab]\/)?)([^\t\r\n]+)/gm),
  ];
  return [...new Set(named.map(([, path = '']) => path.trim()))].filter((path) => path !== '/dev/null');
}
