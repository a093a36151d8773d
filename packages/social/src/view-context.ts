import type { MediaSignatures } from '@linnet/media/media-address';

/** The configuration that views need to build URLs and the `kind` of objects. */
export interface ViewContext {
  /** Origin without a trailing slash. */
  readonly baseUrl: string;
  /** The origin of public media: MEDIA_URL, or `baseUrl`. */
  readonly mediaUrl: string;
  /** The slug in SERVICE_NAME. */
  readonly serviceName: string;
  readonly mediaSignatures: MediaSignatures;
}

interface ServiceAddresses extends Pick<ViewContext, 'baseUrl' | 'serviceName'> {
  /** `url`: MEDIA_URL. */
  readonly media: { readonly url: string | undefined };
}

export function createViewContext(
  { baseUrl, serviceName, media }: ServiceAddresses,
  mediaSignatures: MediaSignatures,
): ViewContext {
  return { baseUrl, mediaUrl: media.url ?? baseUrl, serviceName, mediaSignatures };
}
