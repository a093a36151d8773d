/** Where the service is. The server writes these values into index.html. */
export interface Settings {
  readonly issuer: string;
  /** The name of the service, for texts. */
  readonly serviceName: string;
}

export function readSettings(): Settings {
  return { issuer: read('issuer'), serviceName: read('service-name') };
}

function read(name: string): string {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="client-${name}"]`)?.content;
  if (value === undefined || value === '') throw new Error(`index.html lacks the setting ${name}`);
  return value;
}
