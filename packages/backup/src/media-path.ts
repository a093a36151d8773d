import { renditions } from '@linnet/media/decode/decode-job';
import type { Rendition } from '@linnet/media/decode/decode-job';

/** The path of a file in a backup, the same as below DATA_DIR. */
export function mediaPath(name: string, rendition: Rendition): string {
  const [stem = '', extension = ''] = name.split('.');
  return `media/${stem.slice(0, 2)}/${stem}.${rendition}.${extension}`;
}

/** The inverse of `mediaPath`; undefined for other paths. */
export function parseMediaPath(path: string): { readonly name: string; readonly rendition: Rendition } | undefined {
  const [, stem = '', found, extension = ''] =
    /^media\/[0-9a-f]{2}\/([0-9a-f]{32})\.([a-z]+)\.([a-z]+)$/.exec(path) ?? [];
  const rendition = renditions.find((one) => one === found);
  return rendition === undefined ? undefined : { name: `${stem}.${extension}`, rendition };
}
