/** Where the service is. The server writes these values into index.html. */
export interface Settings {
  readonly issuer: string;
  /** The name of the service, for texts. */
  readonly serviceName: string;
  /** Whether mail reaches people, who then have to confirm their addresses. */
  readonly sendsMail: boolean;
}

export function readSettings(): Settings {
  return { issuer: read('issuer'), serviceName: read('service-name'), sendsMail: read('sends-mail') === 'yes' };
}

function read(name: string): string {
  const value = document.querySelector<HTMLMetaElement>(`meta[name="client-${name}"]`)?.content;
  if (value === undefined || value === '') throw new Error(`index.html lacks the setting ${name}`);
  return value;
}
