/** Where the service is and who Warbler is there. The build writes these values into index.html. */
export interface Settings {
  readonly issuer: string;
  readonly clientId: string;
  /** The name of the service, for texts. */
  readonly serviceName: string;
}

export function readSettings(): Settings {
  return { issuer: read('issuer'), clientId: read('client-id'), serviceName: read('service-name') };
}

function read(name: string): string {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="warbler-${name}"]`)?.content;
  if (value === undefined || value === '') throw new Error(`index.html lacks the setting ${name}`);
  return value;
}

/** Sent as redirect URI, so it must be registered for the application, byte for byte. */
export const callbackUri = new URL('/callback', location.href).href;

export const scope = 'users posts';
