import { z } from 'zod';

import { errorCatalogue } from '../errors.ts';
import type { ErrorCode, ParameterProblem } from '../errors.ts';

const codes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]; // the catalogue is not empty

const parameterCodes = [
  'missing',
  'invalid',
  'repeated',
  'taken',
  'not-allowed',
] as const satisfies readonly ParameterProblem['code'][];

/** The documented form of a problem (RFC 9457). `Problem` in errors.ts is its type in code. */
export const problemSchema = z
  .object({
    type: z.string().meta({
      format: 'uri',
      description: 'URI of the kind of problem. Ends with `code`.',
      examples: ['https://linnet.example/problems/not-found'],
    }),
    title: z.string().meta({
      description:
        'Title of the kind of problem, in the language that `Accept-Language` prefers (English, German, French or Spanish).',
      examples: [errorCatalogue['not-found'].title],
    }),
    status: z.int().meta({ description: 'HTTP status of the response.', examples: [404] }),
    detail: z.string().meta({
      description: 'What is wrong and what to do, in English.',
      examples: [errorCatalogue['not-found'].detail],
    }),
    code: z.enum(codes).meta({ description: 'Stable code of the kind of problem. Each code has one status.' }),
    errors: z
      .array(
        z.object({
          parameter: z.string().meta({ description: 'Name of the parameter.', examples: ['id'] }),
          code: z.enum(parameterCodes).meta({ description: 'What is wrong with the parameter.' }),
          detail: z.string().meta({
            description:
              'What is wrong with the parameter, in English. Continues a sentence that starts with its name.',
            examples: ['is required'],
          }),
        }),
      )
      .meta({ description: 'Every missing or invalid parameter. Empty for other problems.' }),
    request_id: z.string().meta({ description: 'Id of the request. Send it to the operator if you need help.' }),
    scope: z.string().optional().meta({ description: 'Required scope (`insufficient_scope`).' }),
    ask_again: z
      .object({
        authorization_endpoint: z
          .string()
          .meta({ format: 'uri', description: 'Authorization endpoint to send the person to.' }),
        parameters: z.object({ client_id: z.string(), scope: z.string(), prompt: z.literal('consent') }).meta({
          description: 'Parameters to send in addition to `response_type`, `redirect_uri`, `state` and PKCE.',
        }),
      })
      .optional()
      .meta({ description: 'How to request the scope from the person (`insufficient_scope`).' }),
    versions: z.array(z.string()).optional().meta({ description: 'Supported versions (`unknown-version`).' }),
  })
  .meta({ id: 'Problem', description: 'An error response (RFC 9457).' });
