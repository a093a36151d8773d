import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { repositoryRoot } from './service.ts';

const require = createRequire(import.meta.url);

/**
 * The fonts of every browser test, from npm packages. Sizes and line breaks depend on fonts, and system fonts differ
 * between machines, so Chromium sees these alone.
 */
export const fontFamilies = {
  /** An ordinary family (its metrics are Arial's), a wide one and a narrow one. Tests use the first unless they choose. */
  sans: ['Arimo', 'DejaVu Sans', 'PT Sans Narrow'],
  serif: 'DejaVu Serif',
  mono: 'DejaVu Sans Mono',
} as const;

const folders = [
  ...['400Regular', '400Regular_Italic', '600SemiBold', '700Bold'].map((style) =>
    join(dirname(require.resolve('@expo-google-fonts/arimo/package.json')), style),
  ),
  dirname(require.resolve('@expo-google-fonts/pt-sans-narrow/package.json')),
  join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf'),
];

const [standard] = fontFamilies.sans;

/** What fontconfig chooses for the generic families of CSS. */
const generic: Readonly<Record<string, string>> = {
  'system-ui': standard,
  'sans-serif': standard,
  serif: fontFamilies.serif,
  'ui-serif': fontFamilies.serif,
  monospace: fontFamilies.mono,
  'ui-monospace': fontFamilies.mono,
};

/**
 * Writes a fontconfig file that lists only our fonts.
 * @returns the environment variables that make a process use it.
 */
export async function writeFontConfiguration(): Promise<Readonly<Record<string, string>>> {
  const folder = join(repositoryRoot, 'node_modules', '.cache', 'test-fonts');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'fonts.conf');
  // Renamed into place: the Chromium of another run may be reading the file.
  const draft = `${file}.${String(process.pid)}`;
  await writeFile(draft, fontConfiguration(join(folder, 'cache')));
  await rename(draft, file);
  return { FONTCONFIG_FILE: file };
}

/** https://www.freedesktop.org/software/fontconfig/fontconfig-user.html */
function fontConfiguration(cacheFolder: string): string {
  const family = (name: string) => `<family>${name}</family>`;
  const aliases = Object.entries(generic).map(
    ([name, chosen]) => `<alias binding="same">${family(name)}<prefer>${family(chosen)}</prefer></alias>`,
  );
  const lines = [
    ...folders.map((folder) => `<dir>${folder}</dir>`),
    ...aliases,
    // For families that are not here. Without it, fontconfig takes the first file that it finds.
    `<match><edit name="family" mode="append_last"><string>${standard}</string></edit></match>`,
    `<cachedir>${cacheFolder}</cachedir>`,
  ];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  ${lines.join('\n  ')}
</fontconfig>
`;
}

/** CSS that switches our pages to one family: their stylesheets use only these properties for fonts. */
export function useFamily(family: string): string {
  return `:root { --sans: '${family}'; --serif: '${family}'; --mono: '${fontFamilies.mono}' }`;
}
