import type { ComponentsObject, ContentObject, OperationObject, RequestBodyObject } from '@nestjs/swagger';
import { errorResponse, GENERAL_ERRORS, headersOf } from './error-responses.js';
import { exampleOf, resolve } from './schemas.js';

/** Adds examples, headers, and the errors of any route. */
export function completeOperation(operation: OperationObject, components: ComponentsObject): void {
  const { requestBody, responses } = operation;
  operation.description ??= operation.summary ?? '';
  operation.security ??= []; // no token
  operation.tags = operation.tags?.slice(-1) ?? []; // a route's own comes after its controller's
  if (requestBody) completeBody(requestBody as RequestBodyObject, components);
  for (const status of [...(requestBody ? GENERAL_ERRORS.body : []), ...GENERAL_ERRORS.any]) {
    responses[status] ??= { description: '' };
  }
  for (const [status, response] of Object.entries(responses)) {
    if (!response || '$ref' in response) continue;
    const error = errorResponse(Number(status));
    if (error && response.description === '') {
      components.responses![error.name] = error.response;
      responses[status] = { $ref: `#/components/responses/${error.name}` };
    } else {
      response.description ||= 'Success';
      response.headers = { ...headersOf(Number(status)), ...response.headers };
      if (error) response.content ??= error.response.content!;
      addExamples(response.content, components);
    }
  }
}

/** A body may be left out if all of its fields may. */
function completeBody(body: RequestBodyObject, components: ComponentsObject): void {
  const schema = resolve(body.content['application/json']?.schema, components);
  body.required = (schema?.required ?? []).length > 0;
  addExamples(body.content, components);
}

function addExamples(content: ContentObject | undefined, components: ComponentsObject): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema && !media.example && !media.examples) media.example = exampleOf(media.schema, components);
  }
}
