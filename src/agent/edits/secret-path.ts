import { plainNames } from './plain-name.ts';

/** Directories that hold nothing else. */
const secretDirectories = new Set(
  '.aws .azure .bluemix .docker .gnupg .kube .oci .password-store .secrets .ssh .terraform.d'.split(' '),
);
/** Keys, key stores, and what programs keep with passwords in it. */
const secretExtension =
  /\.(?:agekey|asc|der|env|gpg|jks|kdbx?|key|keychain|keystore|kubeconfig|mobileprovision|ovpn|p12|p8|pem|pfx|ppk|secrets?|tfstate(?:\.backup)?|tfvars(?:\.json)?)$/;
const secretName = new RegExp(
  `^(?:${[
    // Environments, and what package managers and transfers sign in with.
    String.raw`\.env.*|[._]netrc|[._]pypirc|\.?npmrc|\.pnpmrc|\.?yarnrc(?:\.ya?ml)?|\.?nuget\.config|auth\.json`,
    String.raw`\.boto|\.s3cfg|\.?rclone\.conf|\.?pgpass(?:\.conf)?|\.my\.cnf|\.mylogin\.cnf|\.?htpasswd`,
    // Cloud programs.
    String.raw`\.dockercfg|\.?dockerconfigjson|\.?terraformrc|terraform\.rc|kubeconfig.*|\.vault-token`,
    String.raw`client_secret.*\.json|.*service[-_]?account.*\.json|local\.settings\.json|wp-config\.php`,
    // Private keys, and what was typed.
    String.raw`id_(?:dsa|ecdsa|ed25519|rsa|xmss)(?:[._-].*)?|id_[\w-]+|\.[a-z_-]+_history`,
  ].join('|')})$`,
);
/** Files of programs that keep passwords under a name that says nothing of it. */
const secretPlace =
  /(?:^|\/)(?:\.config\/(?:doctl|gcloud|gh|hub)\/.*|\.gradle\/gradle\.properties|\.m2\/settings(?:-security)?\.xml|[^/]+\.git\/config)$/;
/** Names that say it, of files that hold data. */
const secretWord =
  /(?:^|[._-])(?:credentials?|passwd|passwords?|private[-_]?keys?|secrets?)(?:[_-][^.]*)?(?:$|(?:\.[\w-]+)*\.(?:cfg|conf|config|csv|db|ini|json|properties|sqlite|toml|txt|xml|ya?ml)$)/;

/**
 * Whether what a path names may hold secrets: keys, passwords, environments, and all that is in `.git`, whose
 * configuration can hold the password of a server.
 */
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

/** True for what belongs to git itself, which nothing but git may write, however a file system spells its name. */
export function isInsideGit(path: string): boolean {
  return plainNames(path).some((name) => name === '.git' || name === 'git~1');
}
