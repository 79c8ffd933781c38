import { isRecord } from '../../../language/is-record.ts';
import { pictureMark } from '../../reading/content-parts.ts';

/** Levels of elements in each other that are looked into. */
const deepest = 50;

/**
 * Text of a tool's result as VS Code keeps it: parts that are texts, or trees of elements whose leaves are; data, as of a
 * picture, is a mark.
 */
export function toolResultText(result: unknown): string {
  const parts =
    isRecord(result) && Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : [];
  return parts
    .map((part) => (isRecord(part) ? partText(part) : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function partText({ value, data, mimeType }: Readonly<Record<string, unknown>>): string {
  if (typeof value === 'string') return value;
  if (isRecord(value)) return treeText(value['node'] ?? value, 0).replace(/^\n/, '');
  if (data === undefined) return '';
  return typeof mimeType === 'string' && !mimeType.startsWith('image/') ? `[${mimeType}]` : pictureMark;
}

function treeText(node: unknown, depth: number): string {
  if (!isRecord(node) || depth > deepest) return '';
  const { text, children, lineBreakBefore } = node;
  if (typeof text === 'string') return `${lineBreakBefore === true ? '\n' : ''}${text}`;
  if (!Array.isArray(children)) return '';
  return (children as readonly unknown[]).map((child) => treeText(child, depth + 1)).join('');
}
