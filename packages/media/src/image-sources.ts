import type { MediaSettings } from '@linnet/service/config/variables';

/** The origins besides our own from which browsers load images of our pages, as CSP sources. */
export function findImageSources({ bucket, url }: MediaSettings): readonly string[] {
  const sources = url === undefined ? [] : [url];
  if (bucket?.reads !== 'presigned') return sources;
  const origin = new URL(bucket.endpoint);
  if (!bucket.isPathStyle) origin.host = `${bucket.bucket}.${origin.host}`;
  return [...sources, origin.origin];
}
