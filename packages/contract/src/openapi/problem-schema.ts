import { z } from 'zod';

import { errorCatalogue } from '../errors.ts';
import type { ErrorCode, ParameterProblem } from '../errors.ts';

const codes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]; // the catalogue is not empty

const parameterCodes = [
  'missing',
  'invalid',
  'repeated',
  'taken',
] as const satisfies readonly ParameterProblem['code'][];

/** A problem (RFC 9457) as it is documented; `Problem` of errors.ts is the same for the code that sends it. */
export const problemSchema = z
  .object({
    type: z.string().meta({
      format: 'uri',
      description: 'Names the kind of problem; ends with its code.',
      examples: ['https://linnet.example/problems/not-found'],
    }),
    title: z.string().meta({
      description:
        'The kind of problem in the language of the reader (`Accept-Language`: English, German, French or Spanish).',
      examples: [errorCatalogue['not-found'].title],
    }),
    status: z.int().meta({ description: 'The status of the answer.', examples: [404] }),
    detail: z.string().meta({ description: 'What was wrong this time, in English.', examples: ['Not Found'] }),
    code: z.enum(codes).meta({ description: 'Stable name of the kind of problem; each has one status.' }),
    errors: z
      .array(
        z.object({
          parameter: z.string().meta({ description: 'Name of the parameter.', examples: ['id'] }),
          code: z.enum(parameterCodes).meta({ description: 'What is wrong with it.' }),
          detail: z.string().meta({ description: 'The same in English.', examples: ['is required'] }),
        }),
      )
      .meta({ description: 'Each parameter that is missing or malformed; empty for other problems.' }),
    request_id: z.string().meta({ description: 'Id of the request, for questions to the operator.' }),
    scope: z.string().optional().meta({ description: 'The scope that is needed (`insufficient_scope`).' }),
    ask_again: z
      .object({
        authorization_endpoint: z.string().meta({ format: 'uri', description: 'Where to send the person.' }),
        parameters: z
          .object({ client_id: z.string(), scope: z.string(), prompt: z.literal('consent') })
          .meta({ description: 'What to send besides `response_type`, `redirect_uri`, `state` and PKCE.' }),
      })
      .optional()
      .meta({ description: 'How to ask the person of the token for the scope (`insufficient_scope`).' }),
    versions: z.array(z.string()).optional().meta({ description: 'The known versions (`unknown-version`).' }),
  })
  .meta({ id: 'Problem', description: 'Every answer that is no success (RFC 9457).' });
