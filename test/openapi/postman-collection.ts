import { exampleOf, operationsOf } from '../support/openapi.js';

/** Keeps the token of a login for the other requests, in Postman and in Bruno. */
const KEEP_TOKEN =
  'if (pm.response.code === 200) pm.collectionVariables.set("token", pm.response.json().access_token);';

/** Bodies that take variables. The new password is empty at first, so that nobody sets one by mistake. */
const BODIES: Record<string, object> = {
  login: { grant_type: 'password', username: '{{username}}', password: '{{password}}' },
  changePassword: { current_password: '{{password}}', new_password: '{{newPassword}}' },
};
const VARIABLES = {
  baseUrl: 'http://127.0.0.1:3000',
  username: 'demo',
  password: 'demo-password',
  newPassword: '',
  token: '',
};

/** Makes a collection of Postman's format 2.1 of a document: a folder per tag, a request per operation. */
export function postmanCollection(document: any): any {
  const operations = operationsOf(document);
  const folders = document.tags.map(({ name, description }: any) => {
    const ofTag = operations.filter(([, { tags }]) => tags[0] === name);
    return { name, description, item: ofTag.map((operation) => itemOf(document, operation)) };
  });
  return {
    info: {
      name: document.info.title,
      description:
        'Set the variables, then send "Log in" first: it keeps the token for the others.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value })),
    item: folders.filter(({ item }: any) => item.length > 0),
  };
}

function itemOf(document: any, [route, operation]: [string, any]): any {
  const [method, path] = route.split(' ') as [string, string];
  const own = BODIES[operation.operationId];
  const body = operation.requestBody?.content['application/json'];
  const example = own ?? (body && exampleOf(document, body.schema));
  const request = {
    method,
    description: operation.description,
    ...(operation.security.length === 0 && { auth: { type: 'noauth' } }),
    url: urlOf(path, operation.parameters),
    ...(example && {
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: {
        mode: 'raw',
        raw: JSON.stringify(example, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  };
  const script = { exec: [KEEP_TOKEN], type: 'text/javascript' };
  const event = own && { event: [{ listen: 'test', script }] };
  return { name: operation.summary, ...event, request };
}

/** Parameters that may be left out are switched off. */
function urlOf(route: string, parameters: any[] = []): any {
  const path = route.slice(1).replace(/\{(\w+)\}/g, ':$1').split('/'); // prettier-ignore
  const listOf = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, example, description, required }) => ({
        key: name,
        value: String(example ?? schema.example ?? ''),
        description,
        ...(!required && { disabled: true }),
      }));
  const query = listOf('query');
  const sent = query.filter(({ disabled }: any) => !disabled);
  const text = sent.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    raw: `{{baseUrl}}/${path.join('/')}${text && `?${text}`}`,
    host: ['{{baseUrl}}'],
    path,
    query,
    variable: listOf('path'),
  };
}
