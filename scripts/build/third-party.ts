import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { projectFolder } from '../project.ts';
import { runCommand } from '../test/run-command.ts';

/** A package whose code is in the bundles. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Text of the licence file; undefined if the package has none. */
  readonly text: string | undefined;
}

/** Licences of packages whose code may be in our package. */
export const acceptedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  '(MPL-2.0 OR Apache-2.0)',
];

/**
 * Lists the packages that esbuild has put into bundles, in alphabetical order.
 *
 * @throws if a package has no licence or a licence that is not accepted
 */
export async function bundledPackages(metafiles: readonly Metafile[]): Promise<readonly BundledPackage[]> {
  const folders = new Set(metafiles.flatMap(({ outputs }) => Object.values(outputs).flatMap(packageFolders)));
  const packages = await Promise.all([...folders].map(readPackage));
  // A version that is installed twice counts as one package.
  const byName = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName.keys()].toSorted().map((key) => byName.get(key)!);
}

/** Folders of packages with at least one byte in a bundle, relative to the project's folder. */
function packageFolders({ inputs }: Metafile['outputs'][string]): readonly string[] {
  return Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    return folder === undefined || bytesInOutput === 0 ? [] : [folder];
  });
}

async function readPackage(folder: string): Promise<BundledPackage> {
  const path = join(projectFolder, folder);
  const manifest = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, license: licence } = manifest;
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error(`${folder} has no name.`);
  if (typeof licence !== 'string' || !acceptedLicences.includes(licence)) {
    throw new Error(`${name} ${version} has the licence ${String(licence)}, which is not accepted.`);
  }
  const file = (await readdir(path)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? undefined : (await readFile(join(path, file), 'utf8')).trim();
  return { name, version, licence, text };
}

/** The notices that licences require, as one text. */
export function noticesOf(packages: readonly BundledPackage[]): string {
  const intro = 'This extension contains code of the following packages.\n';
  const parts = packages.map(({ name, version, licence, text }) =>
    [`${name} ${version} (${licence})`, '', text ?? 'Its package has no licence file.', ''].join('\n'),
  );
  return [intro, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Writes `THIRD_PARTY_NOTICES.txt`, and a software bill of materials in the CycloneDX format, `sbom.cdx.json`, for
 * the packages in the bundles.
 */
export async function writeThirdParty(metafiles: readonly Metafile[]): Promise<void> {
  const packages = await bundledPackages(metafiles);
  await writeFile(join(projectFolder, 'THIRD_PARTY_NOTICES.txt'), noticesOf(packages));
  const { code, output } = await runCommand(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--loglevel', 'silent'],
    { cwd: projectFolder },
  );
  if (code !== 0) throw new Error(`npm sbom ended with code ${code}: ${output}`);
  const bundled = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const sbom = bundledPart(JSON.parse(output.slice(output.indexOf('{'))) as Sbom, bundled);
  await writeFile(join(projectFolder, 'sbom.cdx.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
}

/** The parts of a CycloneDX document that we use. */
interface Sbom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Removes packages that are not in the bundles, and the time and serial number, which differ in each build. */
function bundledPart(sbom: Sbom, bundled: ReadonlySet<string>): Sbom {
  const { serialNumber: _number, metadata, ...rest } = sbom;
  const { timestamp: _time, ...lasting } = metadata;
  const isPart = (ref: string) => bundled.has(ref) || ref === metadata.component['bom-ref'];
  return {
    ...rest,
    metadata: lasting,
    components: sbom.components.filter((component) => isPart(component['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => isPart(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isPart) })),
  };
}
