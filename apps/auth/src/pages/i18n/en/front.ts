import type { RichText } from '../rich-text.ts';

/** Texts of the landing page and of the home page. */
export const front = {
  landing: {
    title: 'Short posts, and an API for all of it',
    lead: (service: string) =>
      `On ${service}, you write short posts and follow people. Everything you can do here, an app can do for you, if you allow it.`,
    build: {
      title: 'Build with the API',
      text: 'OAuth 2.0, OpenID Connect and a JSON API. Paste these lines into a terminal:',
      metadata: 'where to send people, and where to get tokens',
      document: 'every call that an application can make',
      call: 'the response to a call without a token',
      next: 'Create an application to get a client ID, and try every step in its playground.',
      exampleClient: 'Try Warbler, an example client',
    },
  },
  home: {
    title: (name: RichText): RichText => ['Welcome, ', name],
    profileTitle: 'Your public profile',
    texts: {
      profile: 'What other people see of you.',
      client: 'Read your feed and write posts.',
      account: 'Your name and picture, your e-mail address and your data.',
      connected: 'What apps can do as you. You can revoke their access.',
      followers: 'Protect your posts, and answer follow requests.',
      security: 'Passkeys and two-step verification.',
      developers: 'Register an application, and try the API in the playground.',
      guides: 'How to build an application, with examples in three languages.',
      reference: 'Every call, with its parameters and responses.',
      admin: 'Find people and applications, suspend and restore them, and search the audit log.',
    },
  },
};
