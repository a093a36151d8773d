import manifest from '../../package.json' with { type: 'json' };

/** The version of the service. Every room has the same one. */
export const version: string = manifest.version;
