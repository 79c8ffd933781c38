import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandEnvironment, environmentNotes } from '../../../src/agent/command/command-environment.ts';

const namesOf = (
  environment: Readonly<Record<string, string>>,
  added: readonly string[] = [],
  platform: NodeJS.Platform = 'linux',
) =>
  Object.keys(commandEnvironment(environment, added, platform)).filter((name) =>
    Object.hasOwn(environment, name),
  );

/** Variables that shells, the editor and its extensions, agents and CI systems set. */
const withheld =
  `VSCODE_PID VSCODE_IPC_HOOK_CLI VSCODE_GIT_ASKPASS_NODE VSCODE_NLS_CONFIG ELECTRON_RUN_AS_NODE NODE_OPTIONS
  SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR WSL_INTEROP DISPLAY
  WAYLAND_DISPLAY XAUTHORITY TMUX DOCKER_HOST OPENAI_API_KEY ANTHROPIC_API_KEY GITHUB_TOKEN NPM_TOKEN
  AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_PROFILE AZURE_CLIENT_SECRET DATABASE_URL PGPASSWORD npm_config__auth
  npm_config_//registry/:_authToken CARGO_REGISTRY_TOKEN GIT_ASKPASS SSH_ASKPASS GIT_DIR GIT_SSH_COMMAND
  GIT_CONFIG_COUNT GIT_EXTERNAL_DIFF LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND
  BASH_FUNC_ls%% PYTHONSTARTUP PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS RUSTC_WRAPPER
  MAKEFLAGS CLAUDECODE CODEX_HOME CONTEXT_BUDGET_COMMAND LC_SECRET __proto__ constructor`.split(/\s+/);

describe('commandEnvironment', () => {
  it('passes the user, the language and the locations of toolchains', () => {
    const names =
      `PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ COLORTERM TMPDIR XDG_CONFIG_HOME JAVA_HOME GOPATH
      NVM_DIR CARGO_HOME PNPM_HOME PYENV_ROOT VIRTUAL_ENV SSL_CERT_FILE`.split(/\s+/);
    expect(namesOf(Object.fromEntries(names.map((name) => [name, '/x'])))).toEqual(names);
  });

  it.each(withheld)('does not pass %s', (name) => {
    const environment = Object.fromEntries([[name, 'x']]);
    expect(namesOf(environment)).toEqual([]);
    expect(namesOf(environment, [], 'win32')).toEqual([]);
  });

  it('passes no variable with an unlisted name, on any system', () => {
    const name = fc.string({ minLength: 1, unit: fc.constantFrom(...'ABCXYZ_abcxyz09()=.') });
    fc.assert(
      fc.property(name, fc.constantFrom<NodeJS.Platform>('linux', 'win32'), (random, platform) => {
        expect(namesOf({ [`Q_${random}`]: 'x' }, [], platform)).toEqual([]);
      }),
    );
  });

  it('passes variables that the user added', () => {
    const environment = { DATABASE_URL: 'postgres://me:pw@host/db', SSH_AUTH_SOCK: '/run/x', OTHER: '1' };
    expect(namesOf(environment, ['DATABASE_URL', 'SSH_AUTH_SOCK', 'MISSING'])).toEqual([
      'DATABASE_URL',
      'SSH_AUTH_SOCK',
    ]);
  });

  it('never passes the editor’s own variables, even if the user added them', () => {
    const names = ['VSCODE_IPC_HOOK_CLI', 'ELECTRON_RUN_AS_NODE', 'NODE_OPTIONS', 'Node_Options'];
    const environment = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(namesOf(environment, names)).toEqual([]);
    expect(namesOf(environment, names, 'win32')).toEqual([]);
  });

  it('passes the address of a proxy, unless it contains credentials', () => {
    const given = { HTTP_PROXY: 'http://proxy:8080', no_proxy: 'localhost,.corp' };
    const kept = {
      HTTPS_PROXY: 'http://me:pw@proxy:8080',
      all_proxy: 'me:pw@proxy:8080',
      ALL_PROXY: 'http://proxy?token=x',
    };
    expect(namesOf({ ...given, ...kept })).toEqual(Object.keys(given));
  });

  it('passes the variables that Windows programs need, in upper and lower case', () => {
    const environment = {
      Path: 'C:\\Users\\me@corp\\bin;C:\\Windows',
      SYSTEMROOT: 'C:\\Windows',
      PathExt: '.EXE',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      deploy_target: 'x',
    };
    expect(namesOf(environment, ['DEPLOY_TARGET'], 'win32')).toEqual(Object.keys(environment));
    expect(namesOf(environment, ['DEPLOY_TARGET'])).toEqual([]);
  });

  it('keeps programs from asking questions and from using pagers or colours', () => {
    expect(commandEnvironment({ PAGER: 'less', TERM: 'xterm' })).toMatchObject({
      PAGER: 'cat',
      TERM: 'dumb',
      GIT_TERMINAL_PROMPT: '0',
    });
  });
});

describe('environmentNotes', () => {
  const environment = {
    DATABASE_URL: 'x',
    OPENAI_API_KEY: 'x',
    SSH_AUTH_SOCK: 'x',
    JAVA_HOME: '/x',
    VSCODE_IPC_HOOK_CLI: 'x',
  };

  it.each([
    ['KeyError: DATABASE_URL', 'DATABASE_URL'],
    ['error: environment variable `DATABASE_URL` not found', 'DATABASE_URL'],
    ['bash: DATABASE_URL: unbound variable', 'DATABASE_URL'],
    ['Error: Failed to replace env in config: ${OPENAI_API_KEY}', 'OPENAI_API_KEY'],
    ['git@example.com: Permission denied (publickey).', 'SSH_AUTH_SOCK'],
  ])('explains for "%s" how the user can pass %s', (line, name) => {
    const notes = environmentNotes(`first\n${line}\n`, environment);
    expect(notes).toEqual([expect.stringContaining(`not ${name}. `)]);
    expect(notes[0]).toContain('commandEnvironment');
  });

  it.each([
    'DATABASE_URL=x',
    'JAVA_HOME is not set',
    'VSCODE_IPC_HOOK_CLI is not set',
    'OTHER_NAME is not set',
    'undefined is not a function',
  ])('adds no note for "%s"', (line) => {
    expect(environmentNotes(line, environment)).toEqual([]);
  });

  it('adds no note for a variable that the user added', () => {
    expect(environmentNotes('KeyError: DATABASE_URL', environment, ['DATABASE_URL'])).toEqual([]);
  });
});
