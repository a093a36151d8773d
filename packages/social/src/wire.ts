import type { MediaSignatures } from '@linnet/media/media-address';

/** What the views need to know of the service to build addresses and the `kind` of records. */
export interface Wire {
  /** Origin without a trailing slash. */
  readonly baseUrl: string;
  /** SERVICE_NAME, a slug. */
  readonly serviceName: string;
  readonly mediaSignatures: MediaSignatures;
}
