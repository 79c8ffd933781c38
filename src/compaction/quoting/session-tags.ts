import { visibleText } from './visible-text.ts';

/**
 * Random part of a session's delimiters, constant to keep the cache valid. `neutralise` removes it from foreign text.
 */
export type TagSuffix = string;

/** Derives a tag suffix from a string, such as the id of a session that was created without one. */
export function tagSuffixFrom(seed: string): TagSuffix {
  let first = 0x811c9dc5;
  let second = 0x9e3779b9;
  for (let index = 0; index < seed.length; index++) {
    const unit = seed.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b) ^ (second >>> 13);
  }
  const digits = ((first >>> 0) * 0x20_0000 + (second >>> 11)).toString(36).padStart(6, '0');
  // Begins with a letter, because it is part of a tag name.
  return `m${digits.slice(-6)}`;
}

/** Tag suffix for code without a session, such as a measurement or a command on a file. */
export const noSession: TagSuffix = tagSuffixFrom('');

/** Puts foreign text, already cleaned by `neutralise`, between delimiters of the session. Escapes the attributes. */
export function framed(
  name: string,
  tagSuffix: TagSuffix,
  body: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  return `${openingOf(name, tagSuffix, attributes)}\n${body}\n${closingOf(name, tagSuffix)}`;
}

export function openingOf(
  name: string,
  tagSuffix: TagSuffix,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeOf(value)}"`);
  return `<${name}_${tagSuffix}${written.join('')}>`;
}

export function closingOf(name: string, tagSuffix: TagSuffix): string {
  return `</${name}_${tagSuffix}>`;
}

/** Writes a value on one line, so that it cannot close its attribute. */
export function attributeOf(value: string): string {
  return visibleText(value.replace(/[\s\p{Cc}]+/gu, ' '))
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
