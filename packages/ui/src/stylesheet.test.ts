import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { assetsFolder, readStylesheet } from './stylesheet.ts';

const style = readStylesheet([]).toString();
const logo = readFileSync(new URL('logo.svg', assetsFolder), 'utf8');

/** The colours of the first block (light) and of the block in the dark media query. */
const [light, dark] = style.split('@media (prefers-color-scheme: dark)').map(parseColours);

function parseColours(css: string): ReadonlyMap<string, string> {
  const block = /:root\{(.*?)\}/s.exec(css)?.[1];
  if (block === undefined) throw new Error('there is no :root block');
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const digits =
    colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : (colour.slice(1).match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = digits
    .map((pair) => Number.parseInt(pair, 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(colours: ReadonlyMap<string, string> | undefined, one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((name) => colours?.get(name))
    .map((colour) => {
      if (colour === undefined) throw new Error(`no colour ${one} or ${other}`);
      return luminance(colour);
    })
    .toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const textOn: readonly (readonly [text: string, background: string])[] = [
  ...['ink', 'quiet', 'accent', 'accent-strong', 'danger'].flatMap((text) =>
    ['paper', 'surface', 'sunken'].map((background) => [text, background] as const),
  ),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['surface', 'danger'],
  ['accent', 'accent-soft'],
  ['accent-strong', 'accent-soft'],
  ['danger', 'danger-soft'],
  ['done', 'done-soft'],
  ['warn', 'warn-soft'],
];

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('colours of the %s scheme', (_scheme, colours) => {
  test.each(textOn)('%s is legible on %s (WCAG 1.4.3)', (text, background) => {
    expect(contrast(colours, text, background)).toBeGreaterThanOrEqual(4.5);
  });

  test.each([
    ['edge', 'surface'],
    ['edge', 'paper'],
    ['accent', 'paper'],
    ['danger', 'surface'],
  ])('a border of %s is visible on %s (WCAG 1.4.11)', (edge, background) => {
    expect(contrast(colours, edge, background)).toBeGreaterThanOrEqual(3);
  });
});

describe('stylesheet and logo', () => {
  test('are small and load nothing else', () => {
    expect(Buffer.byteLength(style)).toBeLessThanOrEqual(12_000);
    expect(style).not.toMatch(/url\(|@import|@font-face/);
    expect(Buffer.byteLength(logo)).toBeLessThanOrEqual(2_000);
    expect(logo.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|<script|<style|style=|href/);
  });

  test('the dark scheme changes only colours and the shadow, so layout needs no test of its own', () => {
    const [, block = ''] = /@media \(prefers-color-scheme: dark\)\{\s*:root\{(.*?)\}\s*\}/s.exec(style) ?? [];
    const changed = [...block.matchAll(/([\w-]+): ([^;]+);/g)].filter(
      ([, name, value = '']) => name !== '--shadow' && !/^#[0-9a-f]{3,6}$/.test(value),
    );
    expect(block).toContain('--paper: ');
    expect(changed).toEqual([]);
    expect(style.match(/prefers-color-scheme/g)).toHaveLength(1);
  });

  test('have motion only without prefers-reduced-motion', () => {
    const outside = style.replace(/@media \(prefers-reduced-motion: no-preference\)\{[^{}]*\{[^{}]*\}\}/s, '');
    expect(outside).not.toBe(style);
    expect(outside).not.toMatch(/transition|animation|scroll-behavior/);
  });

  test('the rules for narrow screens come last', () => {
    const own = new URL('style/frame.css', assetsFolder);
    expect(readStylesheet([own]).toString()).toMatch(/@media \(max-width: 34rem\)\{.*\}$/);
  });
});
