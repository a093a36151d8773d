/**
 * The card process draws the pictures that other sites show beside a link. It is a process of its own, as the decoder is: texts
 * are shaped by native code, and a request must not wait for it in the thread that serves others.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import sharp from 'sharp';
import type { OverlayOptions } from 'sharp';

import { cardSize } from './card-job.ts';
import type { CardContent, CardJob, CardResult } from './card-job.ts';

sharp.cache(false);
sharp.concurrency(1);

const colours = { paper: '#f6f2ea', ink: '#2a2420', quiet: '#655b51', accent: '#34508f' } as const;
const margin = 80;
const contentWidth = cardSize.width - 2 * margin;
const logoPixels = 56;
/** Where the line with the name of the service begins. */
const footTop = cardSize.height - margin - logoPixels;

/** The fonts are part of the installation, so that cards look the same on every machine. */
const fonts = {
  regular: {
    font: 'DejaVu Sans',
    fontfile: fileURLToPath(new URL('../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url)),
  },
  bold: {
    font: 'DejaVu Sans Bold',
    fontfile: fileURLToPath(new URL('../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf', import.meta.url)),
  },
} as const;

interface TextStyle {
  readonly weight: keyof typeof fonts;
  readonly pixels: number;
  readonly colour: string;
  readonly width: number;
  /** What is lower is left out, at the end of a line. */
  readonly maxHeight: number;
}

interface Drawn {
  readonly input: Buffer;
  readonly height: number;
}

/** Draws a text. `undefined`: there is nothing to see. */
async function drawText(
  text: string,
  { weight, pixels, colour, width, maxHeight }: TextStyle,
): Promise<Drawn | undefined> {
  const shown = drawable(text);
  if (shown === '') return undefined;
  const { font, fontfile } = fonts[weight];
  const markup = `<span foreground="${colour}">${escapeMarkup(shown)}</span>`;
  const { data, info } = await sharp({
    text: { text: markup, font: `${font} ${String(pixels)}`, fontfile, width, dpi: 72, rgba: true, wrap: 'word-char' },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  const area = { width: Math.min(info.width, width), height: Math.min(info.height, maxHeight) };
  if (area.width === info.width && area.height === info.height) return { input: data, height: info.height };
  return {
    input: await sharp(data)
      .extract({ left: 0, top: 0, ...area })
      .png()
      .toBuffer(),
    height: area.height,
  };
}

/** Without emoji, for which the fonts have no pictures, and without what cannot be seen. Each line has its own direction. */
function drawable(text: string): string {
  return text
    .replaceAll(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/gu, '')
    .replaceAll(/\u200D|\uFE0E|\uFE0F|\u20E3/gu, '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** Pango markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function drawFoot({ serviceName, logo }: CardContent): Promise<OverlayOptions[]> {
  const style = { weight: 'bold', pixels: 36, colour: colours.ink, maxHeight: logoPixels } as const;
  const name = await drawText(serviceName, { ...style, width: contentWidth - logoPixels - 20 });
  const picture = await sharp(Buffer.from(logo), { density: 288 }).resize(logoPixels, logoPixels).png().toBuffer();
  return [
    { input: picture, left: margin, top: footTop },
    ...(name === undefined
      ? []
      : [
          {
            input: name.input,
            left: margin + logoPixels + 20,
            top: footTop + Math.round((logoPixels - name.height) / 2),
          },
        ]),
  ];
}

/** Only the logo and the name, large. */
async function drawGeneral({ serviceName, logo }: CardContent): Promise<OverlayOptions[]> {
  const pixels = 180;
  const style = { weight: 'bold', pixels: 96, colour: colours.ink, maxHeight: 260 } as const;
  const name = await drawText(serviceName, { ...style, width: contentWidth - pixels - 48 });
  const picture = await sharp(Buffer.from(logo), { density: 288 }).resize(pixels, pixels).png().toBuffer();
  const middle = cardSize.height / 2;
  return [
    { input: picture, left: margin, top: Math.round(middle - pixels / 2) },
    ...(name === undefined
      ? []
      : [{ input: name.input, left: margin + pixels + 48, top: Math.round(middle - name.height / 2) }]),
  ];
}

type Person = NonNullable<CardContent['person']>;

/** Sizes in pixels. The text begins at `textTop`. */
const layouts = {
  profile: { side: 176, gap: 44, nameTop: 100, name: 60, nameHeight: 150, handle: 36, text: 36, textTop: 300 },
  post: { side: 112, gap: 28, nameTop: 84, name: 44, nameHeight: 60, handle: 30, text: 46, textTop: 236 },
} as const;

async function drawPerson(person: Person, picture: Buffer | undefined): Promise<OverlayOptions[]> {
  const layout = layouts[person.isPost ? 'post' : 'profile'];
  const { side, nameTop, textTop } = layout;
  const left = margin + side + layout.gap;
  const width = cardSize.width - margin - left;
  const bold = { weight: 'bold', colour: colours.ink, width } as const;
  const regular = { weight: 'regular', colour: colours.ink, width: contentWidth } as const;
  const name = await drawText(person.name, { ...bold, pixels: layout.name, maxHeight: layout.nameHeight });
  const quiet = { ...regular, colour: colours.quiet, width };
  const handle = await drawText(`@${person.username}`, { ...quiet, pixels: layout.handle, maxHeight: 50 });
  const maxHeight = footTop - textTop - 40;
  const text = await drawText(person.text, { ...regular, pixels: layout.text, maxHeight });
  return [
    ...place(picture && { input: await drawCircle(picture, side), height: side }, { left: margin, top: margin }),
    ...place(name, { left, top: nameTop }),
    ...place(handle, { left, top: nameTop + (name?.height ?? 0) + 14 }),
    ...place(text, { left: margin, top: textTop }),
  ];
}

function place(drawn: Drawn | undefined, at: { readonly left: number; readonly top: number }): OverlayOptions[] {
  return drawn === undefined ? [] : [{ input: drawn.input, ...at }];
}

async function drawCircle(picture: Buffer, side: number): Promise<Buffer> {
  const half = String(side / 2);
  const mask = `<svg width="${String(side)}" height="${String(side)}"><circle cx="${half}" cy="${half}" r="${half}"/></svg>`;
  return await sharp(picture, { limitInputPixels: 1_000_000 })
    .resize(side, side, { fit: 'cover' })
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png()
    .toBuffer();
}

async function draw({ content, picture, output }: CardJob): Promise<void> {
  const { person } = content;
  const parts = person === undefined ? await drawGeneral(content) : await drawFoot(content);
  if (person !== undefined) {
    const svg = person.avatarSvg === undefined ? undefined : Buffer.from(person.avatarSvg);
    parts.push(...(await drawPerson(person, picture === undefined ? svg : await readFile(picture))));
  }
  const bar = { create: { width: cardSize.width, height: 12, channels: 3, background: colours.accent } } as const;
  parts.push({ input: bar, left: 0, top: cardSize.height - 12 });
  const paper = { create: { ...cardSize, channels: 3, background: colours.paper } } as const;
  const card = await sharp(paper).composite(parts).png({ palette: true, compressionLevel: 7 }).toBuffer();
  await writeFile(output, card, { mode: 0o600 });
}

async function run(job: CardJob): Promise<CardResult> {
  try {
    await draw(job);
    return { isDrawn: true };
  } catch (error) {
    return { problem: String(error) };
  }
}

// As in the decoder process: only our parent sends messages, and ends this process when it has finished its requests.
process.on('message', (job) => void run(job as CardJob).then((result) => process.send?.(result)));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send?.('ready');
