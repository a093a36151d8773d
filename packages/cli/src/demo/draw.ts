/** Draws the pictures of the demo, so that nothing is downloaded or subject to copyright. */
import sharp from 'sharp';

export type Scene = 'mountains' | 'orchard' | 'harbour' | 'still-life' | 'evening';

const width = 1200;
const height = 800;

interface Palette {
  readonly sky: readonly [top: string, bottom: string];
  readonly light: string;
  readonly layers: readonly string[];
}

const palettes: Readonly<Record<Scene, Palette>> = {
  mountains: { sky: ['#22395b', '#f2c6a0'], light: '#fff1d6', layers: ['#7d8fb0', '#55698f', '#31456b', '#1b2a47'] },
  orchard: { sky: ['#bfe0ea', '#f7f3dc'], light: '#fff6c9', layers: ['#a9c47f', '#83a95b', '#557c3e', '#2f5130'] },
  harbour: { sky: ['#8fa7b3', '#e9ddcf'], light: '#fdf3e3', layers: ['#9fb0b5', '#6d868f', '#48626d', '#2b3f4a'] },
  'still-life': { sky: ['#5b2a26', '#a8573d'], light: '#ffd9a0', layers: ['#c96b3c', '#a83f2e', '#7c2a24', '#40191a'] },
  evening: { sky: ['#2a1f4a', '#e67f6a'], light: '#ffe3a8', layers: ['#8a4f7d', '#5f3a6e', '#3a2858', '#1d1838'] },
};

/** Reproducible random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function seedOf(text: string): number {
  return [...text].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 7);
}

/** Overlapping ridges under a low sun. */
export async function drawScene(scene: Scene, name: string): Promise<Buffer> {
  const { sky, light, layers } = palettes[scene];
  const random = randomFrom(seedOf(`${scene} ${name}`));
  const ridges = layers.map((colour, index) => {
    const base = height * (0.42 + 0.15 * index);
    return `<path fill="${colour}" d="${ridge(base, 150 - 28 * index, random)}"/>`;
  });
  const sun = `<circle cx="${String(Math.round(width * (0.2 + 0.6 * random())))}" cy="270" r="${String(60 + Math.round(50 * random()))}" fill="${light}"/>`;
  return await toPng(
    `${gradient(sky)}<rect width="${String(width)}" height="${String(height)}" fill="url(#sky)"/>${sun}${ridges.join('')}`,
    [width, height],
  );
}

function ridge(base: number, rise: number, random: () => number): string {
  const points = Array.from({ length: 9 }, (_, index) => {
    const x = Math.round((width / 8) * index);
    return [x, Math.round(base - rise * random())] as const;
  });
  const curves = points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index] ?? [0, 0];
    const middle = Math.round((fromX + x) / 2);
    return `C${String(middle)} ${String(fromY)} ${String(middle)} ${String(y)} ${String(x)} ${String(y)}`;
  });
  return `M0 ${String(points[0]?.[1] ?? base)} ${curves.join(' ')} V${String(height)} H0 Z`;
}

/** Coloured rings, different for each name. */
export async function drawAvatar(name: string): Promise<Buffer> {
  const random = randomFrom(seedOf(name));
  const hue = Math.round(360 * random());
  const rings = Array.from({ length: 5 }, (_, index) => {
    const [x, y] = [Math.round(100 + 200 * random()), Math.round(100 + 200 * random())];
    const radius = 150 - 24 * index;
    const colour = `hsl(${String((hue + 28 * index) % 360)} 55% ${String(38 + 9 * index)}%)`;
    return `<circle cx="${String(x)}" cy="${String(y)}" r="${String(radius)}" fill="${colour}" fill-opacity="0.8"/>`;
  });
  return await toPng(
    `<rect width="400" height="400" fill="hsl(${String(hue)} 45% 22%)"/>${rings.join('')}`,
    [400, 400],
  );
}

function gradient([top, bottom]: readonly [string, string]): string {
  const stops = `<stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/>`;
  return `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient>`;
}

async function toPng(content: string, [x, y]: readonly [number, number]): Promise<Buffer> {
  const size = `width="${String(x)}" height="${String(y)}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`;
  return await sharp(Buffer.from(svg)).png().toBuffer();
}
