import { withoutEnd } from '../../compaction/text/clip.ts';

/** Reason to review a file: it may contain a `secret`, or tools or agents run or obey it (`powerful`). */
export type Sensitivity = 'secret' | 'powerful';

/** Returns the reason to review every edit of a file; undefined for source code and documents. */
export function sensitivityOf(shown: string): Sensitivity | undefined {
  if (isSecretPath(shown)) return 'secret';
  return isOrdinaryFile(shown) ? undefined : 'powerful';
}

const secretDirectories = new Set(
  '.aws .azure .bluemix .docker .gnupg .kube .oci .password-store .secrets .ssh .terraform.d'.split(' '),
);
/** Extensions of keys, key stores, and files where programs store passwords. */
const secretExtension =
  /\.(?:agekey|asc|der|env|gpg|jks|kdbx?|key|keychain|keystore|kubeconfig|mobileprovision|ovpn|p12|p8|pem|pfx|ppk|secrets?|tfstate(?:\.backup)?|tfvars(?:\.json)?)$/;
const secretName = new RegExp(
  `^(?:${[
    // Environments, and credentials of package managers and file transfers.
    String.raw`\.env.*|[._]netrc|[._]pypirc|\.?npmrc|\.pnpmrc|\.?yarnrc(?:\.ya?ml)?|\.?nuget\.config|auth\.json`,
    String.raw`\.boto|\.s3cfg|\.?rclone\.conf|\.?pgpass(?:\.conf)?|\.my\.cnf|\.mylogin\.cnf|\.?htpasswd`,
    // Cloud programs.
    String.raw`\.dockercfg|\.?dockerconfigjson|\.?terraformrc|terraform\.rc|kubeconfig.*|\.vault-token`,
    String.raw`client_secret.*\.json|.*service[-_]?account.*\.json|local\.settings\.json|wp-config\.php`,
    // Private keys, and histories of typed commands.
    String.raw`id_(?:dsa|ecdsa|ed25519|rsa|xmss)(?:[._-].*)?|id_[\w-]+|\.[a-z_-]+_history`,
  ].join('|')})$`,
);
/** Files where programs store passwords under an ordinary name. */
const secretPlace =
  /(?:^|\/)(?:\.config\/(?:doctl|gcloud|gh|hub)\/.*|\.gradle\/gradle\.properties|\.m2\/settings(?:-security)?\.xml|[^/]+\.git\/config)$/;
/** Names of data files that contain a word for secrets. */
const secretWord =
  /(?:^|[._-])(?:credentials?|passwd|passwords?|private[-_]?keys?|secrets?)(?:[_-][^.]*)?(?:$|(?:\.[\w-]+)*\.(?:cfg|conf|config|csv|db|ini|json|properties|sqlite|toml|txt|xml|ya?ml)$)/;

/** True if a file may contain secrets: keys, passwords, environments, or anything in `.git`. */
export function isSecretPath(path: string): boolean {
  const names = plainNames(path);
  const name = names.at(-1) ?? '';
  return (
    isInsideGit(path) ||
    names.some((directory) => secretDirectories.has(directory)) ||
    secretPlace.test(names.join('/')) ||
    secretExtension.test(name) ||
    secretName.test(name) ||
    secretWord.test(name)
  );
}

/** True for files of git, which only git may write, in any spelling that a file system accepts. */
export function isInsideGit(path: string): boolean {
  return plainNames(path).some((name) => name === '.git' || name === 'git~1');
}

const source = new Set(
  (
    'astro c c++ cc cjs clj cljs cpp cs css cts cxx dart elm erl ex fs glsl go gql graphql h hh hpp hs htm html hxx ' +
    'java jl js jsx kt less lua m mjs ml mli mm mts pas php proto py pyi r rb rs sass scala scss sol sql styl ' +
    'svelte swift ts tsx vb vue wgsl zig'
  ).split(' '),
);
const documents = new Set('adoc csv markdown md mdx po rst svg tex tsv txt'.split(' '));
/** A name without characters that have a meaning for a file system or a shell. */
const plain = /^[\p{L}\p{N}_@$+()[\]](?:[\p{L}\p{M}\p{N}_@$+()[\].,& -]*[\p{L}\p{M}\p{N}_@$+()[\]-])?$/u;
/** Short names that Windows also gives to files with long names: `PACKAG~1.JSO`. */
const shortName = /~\d/;

/** Directories of git, package managers or agents. They are powerful at any depth. */
const powerful = new Set(
  (
    '__pypackages__ build-logic githooks git-hooks hooks instructions node_modules objects packrat prompts refs renv ' +
    'ruby_lsp site-packages skills vendor venv worktrees'
  ).split(' '),
);
/** Directories of scripts that build, test or install. Below a source directory they are part of the program. */
const scripts = new Set(
  (
    'actions agents ansible bin build buildsrc ci cmake commands debian deploy deployment docker gradle helm infra ' +
    'infrastructure packaging patches plugins requirements rules sbin script scripts tasks terraform third_party tool ' +
    'tools xtask'
  ).split(' '),
);
const sources = new Set('app client components internal lib pkg source sources src'.split(' '));
/** Names of folders with rules and plugins that editors and other tools load: `eslint-config`, `filter_plugins`. */
const loaded =
  /^(?:eslint|prettier|stylelint|tailwind(?:css)?)(?:[._-]|$)|[._-](?:eslint|prettier|stylelint|tailwind(?:css)?)$|_plugins$/;
/** Extensions of client code, where `hooks` is an ordinary folder. */
const client = /^(?:jsx|svelte|tsx?|vue)$/;

/** Configuration that tools load: `vite.config.ts`, `karma.conf.js`, `webpack.prod.js`, `vitest.workspace.ts`. */
const configuring =
  /^(?:babel|commitlint|compile_(?:commands|flags)|conftest|cypress|esbuild|eslint|jasmine|jest|karma|lint-?staged|playwright|pnpmfile|postcss|prettier|rollup|rspack|stylelint|svgo|tailwind|truffle|[jt]sconfig|tsup|vite|vitest|webpack|wdio)(?=[._-]|$)|[._-](?:conf|config|configuration|plugin|preset|setup|teardown|workspace)s?(?=[._-]|$)|^global-?(?:setup|teardown)|^(?:setup|[\w-]*rc$)/;
/** Names of files that build a project or run automatically. */
const building =
  /^(?:(?:cake|grunt|gulp|jake)file\.\w+|(?:brunch|build|cake|conan|danger|dod[oe]|fab|grunt|gulp|jake|just|knex|mage|make|nox|plop|pod|rake|task|vagrant)(?:er|file)?|cmake(?:lists|cache)|extconf|(?:rails|spec|test)_helper|sconstruct|(?:site|user)customize|wscript|versioneer)$/;
/** Files that language servers run as programs to learn how to build a project. */
const describing = /^(?:conf\.py|package(?:@swift.*)?\.swift)$/;
/** Names of further build files at the top of a project. */
const buildingAtTop =
  /^(?:__main__|bootstrap|deploy|ecosystem|install|manage|package|project|release|run|start|startup|tasks|test|tests|update|upgrade)$/;
/** Names of documents that agents and installers follow as instructions. */
const steering =
  /^(?:agents?|aider|augment|claude|cline|codex|constraints|conventions|copilot|crush|cursor|gemini|grok|instructions|jules|kimi|kiro|llms|memory|prompts?|qwen|replit|requirements|rules|skills?|warp|windsurf)(?:[._ -].*)?$|[._ -](?:agents?|chatmode|constraints|instructions|modes?|prompts?|requirements|rules|skill)$/;
/** Common documents at the top of a project. Any other document there may steer a future agent. */
const wellKnown =
  /^(?:architecture|authors|bugs|change(?:log|s)|code[_-]of[_-]conduct|contribut(?:ing|ors)|design|development|faq|hacking|history|licen[cs]e|maintainers|migrat(?:ing|ion)|news|notes|notice|readme|roadmap|security|support|testing|thanks|todo|troubleshooting|upgrading|usage)(?:[._-].*)?$/;

/** True for source texts and documents without secrets that nothing runs or obeys. @param shown with forward slashes */
export function isOrdinaryFile(shown: string): boolean {
  if (isSecretPath(shown) || !shown.split('/').every((name) => plain.test(name) && !shortName.test(name))) {
    return false;
  }
  const names = [...plainNames(shown)];
  const name = names.pop() ?? '';
  const dot = name.lastIndexOf('.');
  const stem = name.slice(0, Math.max(dot, 0));
  const extension = name.slice(dot + 1);
  if (stem === '' || names.some((_, index) => isPowerful(names.slice(0, index + 1), extension))) return false;
  const isAtTop = names.length === 0;
  if (isConfiguring(name) || (isAtTop && buildingAtTop.test(stem))) return false;
  if (source.has(extension)) return true;
  if (!documents.has(extension) || steering.test(stem)) return false;
  return wellKnown.test(stem) || !(isAtTop || isInCapitals(shown));
}

/** @param name name of a file or folder. Programs also load `gulpfile.js/index.js` in place of `gulpfile.js` */
function isConfiguring(name: string): boolean {
  const stem = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
  return configuring.test(stem) || building.test(stem) || describing.test(name);
}

function isPowerful(directories: readonly string[], extension: string): boolean {
  const directory = directories.at(-1) ?? '';
  const isOfProgram = directories.slice(0, -1).some((outer) => sources.has(outer));
  if (directory === 'hooks') return !(isOfProgram && client.test(extension));
  if (directory === 'project' && extension === 'scala') return true;
  const isLoaded = powerful.has(directory) || directory.endsWith('.git') || isConfiguring(directory);
  return isLoaded || ((scripts.has(directory) || loaded.test(directory)) && !isOfProgram);
}

/** True for documents with names in capitals, which address the contributors to a project. */
function isInCapitals(shown: string): boolean {
  const stem = shown.slice(shown.lastIndexOf('/') + 1, shown.lastIndexOf('.'));
  return /\p{Lu}{2}/u.test(stem) && !/\p{Ll}/u.test(stem);
}

/**
 * Returns a name as the most tolerant file system compares it, without case, width, last dots, and text after colons.
 */
function plainName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return withoutEnd(folded.split(':', 1)[0] ?? '', '. ');
}

function plainNames(path: string): readonly string[] {
  return path.split(/[/\\]/).map(plainName);
}
