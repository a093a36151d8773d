import type { MediaSignatures } from '@linnet/media/media-address';

/** The configuration that views need to build URLs and the `kind` of objects. */
export interface ViewContext {
  /** Origin without a trailing slash. */
  readonly baseUrl: string;
  /** The slug in SERVICE_NAME. */
  readonly serviceName: string;
  readonly mediaSignatures: MediaSignatures;
}
