import { toModel } from '../../language/sentence.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables for the user, the system, languages, temporary files and settings. None names a folder with sockets. */
const ofTheUser = `PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_ADDRESS LC_COLLATE LC_CTYPE LC_IDENTIFICATION
  LC_MEASUREMENT LC_MESSAGES LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME TZ COLORTERM COLUMNS LINES
  TMPDIR TMP TEMP XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME XDG_STATE_HOME`;

/** Places where programs find other programs, their libraries and their caches. */
const ofToolchains = `ANDROID_HOME ANDROID_NDK_HOME ANDROID_NDK_ROOT ANDROID_SDK_ROOT ANT_HOME GRADLE_HOME
  GRADLE_USER_HOME JAVA_HOME JDK_HOME JRE_HOME KOTLIN_HOME M2_HOME MAVEN_HOME SCALA_HOME SDKMAN_DIR
  GOBIN GOCACHE GOENV_ROOT GOMODCACHE GOPATH GOROOT
  BUN_INSTALL COREPACK_HOME DENO_DIR DENO_INSTALL DENO_INSTALL_ROOT FNM_DIR FNM_MULTISHELL_PATH NODENV_ROOT NODE_PATH
  NPM_CONFIG_CACHE NPM_CONFIG_PREFIX N_PREFIX NVM_BIN NVM_DIR NVM_HOME NVM_SYMLINK PNPM_HOME VOLTA_HOME
  YARN_CACHE_FOLDER npm_config_cache npm_config_prefix
  CONDA_DEFAULT_ENV CONDA_EXE CONDA_PREFIX CONDA_PYTHON_EXE MAMBA_EXE MAMBA_ROOT_PREFIX PIPX_BIN_DIR PIPX_HOME
  PIP_CACHE_DIR POETRY_HOME PYENV_ROOT PYTHONPATH UV_CACHE_DIR UV_PYTHON_INSTALL_DIR UV_TOOL_DIR VIRTUAL_ENV
  CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN
  GEM_HOME GEM_PATH RBENV_ROOT MY_RUBY_HOME rvm_path COMPOSER_HOME DOTNET_ROOT NUGET_PACKAGES
  CABAL_DIR GHCUP_INSTALL_BASE_PREFIX STACK_ROOT OPAMROOT OPAM_SWITCH_PREFIX CAML_LD_LIBRARY_PATH
  HEX_HOME MIX_HOME JULIA_DEPOT_PATH R_HOME R_LIBS R_LIBS_USER PERL5LIB PERL_LOCAL_LIB_ROOT LUA_CPATH LUA_PATH
  DART_HOME FLUTTER_HOME FLUTTER_ROOT PUB_CACHE EMSDK EM_CONFIG CUDA_HOME CUDA_PATH VCPKG_ROOT VULKAN_SDK
  ASDF_DATA_DIR ASDF_DIR MISE_CACHE_DIR MISE_CONFIG_DIR MISE_DATA_DIR HOMEBREW_CELLAR HOMEBREW_PREFIX
  HOMEBREW_REPOSITORY NIX_PATH NIX_PROFILES CMAKE_PREFIX_PATH PKG_CONFIG_PATH DEVELOPER_DIR SDKROOT
  CHROME_BIN CHROME_PATH CHROMIUM_PATH CYPRESS_CACHE_FOLDER PLAYWRIGHT_BROWSERS_PATH PUPPETEER_CACHE_DIR
  PUPPETEER_EXECUTABLE_PATH`;

/** Network settings: proxies without a password, and certificate files. */
const ofTheNetwork = `ALL_PROXY HTTPS_PROXY HTTP_PROXY NO_PROXY all_proxy https_proxy http_proxy no_proxy
  CARGO_HTTP_CAINFO CURL_CA_BUNDLE GIT_SSL_CAINFO NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS PIP_CERT REQUESTS_CA_BUNDLE
  SSL_CERT_DIR SSL_CERT_FILE`;

/** Variables that Windows programs need to start, or to find the system and its compilers. */
const ofWindows = `ALLUSERSPROFILE APPDATA COMPUTERNAME ComSpec CommonProgramFiles CommonProgramFiles(x86)
  CommonProgramW6432 ChocolateyInstall DriverData HOMEDRIVE HOMEPATH INCLUDE LIB LIBPATH LOCALAPPDATA
  NUMBER_OF_PROCESSORS OS PATHEXT PROCESSOR_ARCHITECTURE PROCESSOR_ARCHITEW6432 PROCESSOR_IDENTIFIER PROCESSOR_LEVEL
  PROCESSOR_REVISION PSModulePath PUBLIC ProgramData ProgramFiles ProgramFiles(x86) ProgramW6432 SCOOP SystemDrive
  SystemRoot USERDOMAIN USERNAME USERPROFILE VCINSTALLDIR VCToolsInstallDir VSINSTALLDIR WindowsSDKVersion
  WindowsSdkDir windir`;

const listed = `${ofTheUser} ${ofToolchains} ${ofTheNetwork}`.split(/\s+/);
const namesOnPosix: ReadonlySet<string> = new Set(listed);
/** Names in upper case, because Windows ignores case. */
const namesOnWindows: ReadonlySet<string> = new Set(
  [...listed, ...ofWindows.split(/\s+/)].map((name) => name.toUpperCase()),
);

/** Variables that would let a program use the editor or load its code. The user cannot add them. */
const ofTheEditor = /^(?:VSCODE_.*|ELECTRON_.*|NODE_OPTIONS)$/i;
/** A list of hosts, or the address of one host without a path. */
const plainHosts = /^(?:[a-z\d]+:\/\/)?[\w.*,:[\] /-]*$/i;
/** True for an address with a user or password, such as `user:password@proxy:8080`, also after `http://`. */
function hasAccount(name: string, value: string): boolean {
  return /_proxy$/i.test(name) ? !plainHosts.test(value) : /:\/\/[^/]*@/.test(value);
}

/** Variables that stop programs from asking questions, paging and colouring. */
const withoutTerminal = {
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  NO_COLOR: '1',
  PAGER: 'cat',
  TERM: 'dumb',
} as const;

/** Returns the environment of a command: variables of a fixed list, and variables that the user added by name. */
export function commandEnvironment(
  environment: Environment,
  added: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): Environment {
  const isGiven = givenTo(added, platform);
  const kept = Object.entries(environment).filter(([name, value]) => isGiven(name, value));
  return { ...Object.fromEntries(kept), ...withoutTerminal };
}

function givenTo(added: readonly string[], platform: NodeJS.Platform) {
  const isWindows = platform === 'win32';
  const known = (name: string) => (isWindows ? name.toUpperCase() : name);
  const names = isWindows ? namesOnWindows : namesOnPosix;
  const own = new Set(added.map(known));
  return (name: string, value = '') =>
    !ofTheEditor.test(name) && (own.has(known(name)) || (names.has(known(name)) && !hasAccount(name, value)));
}

/** Lines of output that complain about a variable. */
const complaint =
  /\b(?:env|environ|environment|variables?|unbound|undefined|unset|missing|required|must be|is not|not (?:set|defined|found|provided|configured)|keyerror)\b/i;
/** Error messages of programs that lack a variable but do not name it. */
const unnamed: Readonly<Record<string, RegExp>> = {
  DISPLAY: /cannot open display|unable to open (?:x )?display|missing x server/i,
  SSH_AUTH_SOCK: /permission denied \(publickey|authentication agent/i,
};
/** Maximum characters of the output that are examined, counted from its end. */
const mostLooked = 100_000;

/** Returns notes for the model on variables that the output mentions but the command did not get. */
export function environmentNotes(
  output: string,
  environment: Environment,
  added: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const isGiven = givenTo(added, platform);
  const isMissed = (name: string) =>
    environment[name] !== undefined && !ofTheEditor.test(name) && !isGiven(name, environment[name]);
  const end = output.slice(-mostLooked);
  const named = end
    .split('\n')
    .filter((line) => complaint.test(line))
    .flatMap((line) => line.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g) ?? []);
  const told = Object.keys(unnamed).filter((name) => unnamed[name]!.test(end));
  const names = [...new Set([...named, ...told])].filter(isMissed).slice(0, 5);
  if (names.length === 0) return [];
  return [
    toModel`Commands get few variables of the editor's environment, and not ${names.join(', ')}. If the command needs it, tell the user, who can add the name to "commandEnvironment" in the setting contextBudget.safety.`,
  ];
}
