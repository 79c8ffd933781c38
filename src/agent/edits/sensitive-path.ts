/** Where changes can run code or hold secrets: settings of tools live in names with a dot. */
export function isSensitivePath(shown: string): boolean {
  return shown.split('/').some((name) => name.startsWith('.') && !/^\.+$/.test(name));
}

/** True for what belongs to git itself, which nothing but git may write, however a file system spells its name. */
export function isInsideGit(path: string): boolean {
  return path.split(/[/\\]/).some((name) => {
    // Windows drops dots and spaces at the end, cuts off what is behind a colon, and has short names.
    const plain = name
      .toLowerCase()
      .replace(/:.*$/, '')
      .replace(/[. ]+$/, '');
    return plain === '.git' || plain === 'git~1';
  });
}
