import { plainNames } from './plain-name.ts';
import { isSecretPath } from './secret-path.ts';

/** What programs and web pages are written in. */
const source = new Set(
  (
    'astro c c++ cc cjs clj cljs cpp cs css cts cxx dart elm erl ex fs glsl go gql graphql h hh hpp hs htm html hxx ' +
    'java jl js jsx kt less lua m mjs ml mli mm mts pas php proto py pyi r rb rs sass scala scss sol sql styl ' +
    'svelte swift ts tsx vb vue wgsl zig'
  ).split(' '),
);
/** What people read. */
const documents = new Set('adoc csv markdown md mdx po rst svg tex tsv txt'.split(' '));
/** A name without characters that a file system or a shell takes for something else. */
const plain = /^[\p{L}\p{N}_@$+()[\]](?:[\p{L}\p{M}\p{N}_@$+()[\].,& -]*[\p{L}\p{M}\p{N}_@$+()[\]-])?$/u;
/** Windows has a second name for each file that is long: `PACKAG~1.JSO`. */
const shortName = /~\d/;

/** Directories that belong to git, to package managers or to agents, wherever they are. */
const powerful = new Set(
  '__pypackages__ githooks git-hooks hooks instructions node_modules objects prompts refs site-packages skills vendor venv worktrees'.split(
    ' ',
  ),
);
/** Directories of scripts that build, test and install. Below a source directory these are parts of a program. */
const scripts = new Set(
  (
    'actions agents ansible bin build buildsrc ci cmake commands debian deploy deployment docker gradle helm infra ' +
    'infrastructure packaging patches plugins requirements rules sbin script scripts tasks terraform third_party tool ' +
    'tools xtask'
  ).split(' '),
);
const sources = new Set('app client components internal lib pkg source sources src'.split(' '));
/** Client programs have hooks of their own in these. */
const client = /^(?:jsx|svelte|tsx?|vue)$/;

/** Names of what a tool loads: `vite.config.ts`, `karma.conf.js`, `webpack.prod.js`, `vitest.workspace.ts`. */
const configuring =
  /^(?:babel|commitlint|conftest|cypress|esbuild|eslint|jasmine|jest|karma|lint-?staged|playwright|pnpmfile|postcss|prettier|rollup|rspack|stylelint|svgo|tailwind|truffle|tsup|vite|vitest|webpack|wdio)(?=[._-]|$)|[._-](?:conf|config|configuration|plugin|preset|setup|teardown|workspace)s?(?=[._-]|$)|^global-?(?:setup|teardown)|^(?:setup|[\w-]*rc$)/;
/** Names of what builds, or is run by itself. */
const building =
  /^(?:(?:brunch|build|cake|conan|danger|dod[oe]|fab|grunt|gulp|jake|just|knex|mage|make|nox|plop|pod|rake|task|vagrant)(?:er|file)?|cmake(?:lists|cache)|extconf|(?:rails|spec|test)_helper|sconstruct|(?:site|user)customize|wscript|versioneer)$/;
/** The same, where the project itself is. */
const buildingAtTop =
  /^(?:__main__|bootstrap|deploy|ecosystem|install|manage|package|project|release|run|start|startup|tasks|test|tests|update|upgrade)$/;
/** Documents that agents and installers read as orders. */
const steering =
  /^(?:agents?|aider|augment|claude|cline|codex|constraints|conventions|copilot|crush|cursor|gemini|grok|instructions|jules|kimi|kiro|llms|memory|prompts?|qwen|replit|requirements|rules|skills?|warp|windsurf)(?:[._ -].*)?$|[._ -](?:agents?|chatmode|constraints|instructions|modes?|prompts?|requirements|rules|skill)$/;
/** Documents at the top of a project. One of another name may steer an agent that is still to come. */
const wellKnown =
  /^(?:architecture|authors|bugs|change(?:log|s)|code[_-]of[_-]conduct|contribut(?:ing|ors)|design|development|faq|hacking|history|licen[cs]e|maintainers|migrat(?:ing|ion)|news|notes|notice|readme|roadmap|security|support|testing|thanks|todo|troubleshooting|upgrading|usage)(?:[._-].*)?$/;

/**
 * Whether a file is source text or a document and nothing else: nothing that a tool, a shell, git, an editor or an
 * agent reads or runs by itself, and nothing that may hold a secret.
 *
 * @param shown relative to the workspace, with forward slashes
 */
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
  if (configuring.test(stem) || building.test(stem) || (isAtTop && buildingAtTop.test(stem))) return false;
  if (source.has(extension)) return true;
  if (!documents.has(extension) || steering.test(stem)) return false;
  return wellKnown.test(stem) || !(isAtTop || isInCapitals(shown));
}

function isPowerful(directories: readonly string[], extension: string): boolean {
  const directory = directories.at(-1) ?? '';
  const isOfProgram = directories.slice(0, -1).some((outer) => sources.has(outer));
  if (directory === 'hooks') return !(isOfProgram && client.test(extension));
  return powerful.has(directory) || directory.endsWith('.git') || (scripts.has(directory) && !isOfProgram);
}

/** Documents in capitals are meant for whoever works on the project. */
function isInCapitals(shown: string): boolean {
  const stem = shown.slice(shown.lastIndexOf('/') + 1, shown.lastIndexOf('.'));
  return /\p{Lu}{2}/u.test(stem) && !/\p{Ll}/u.test(stem);
}
