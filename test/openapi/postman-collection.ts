import { STATUS_CODES } from 'node:http';
import { exampleOf, operationsOf, resolve } from '../support/openapi.js';

/** Keep what an answer changes for the other requests, in Postman and in Bruno. */
const KEEP_TOKEN = 'pm.collectionVariables.set("token", pm.response.json().access_token);';
const KEEP_PASSWORD =
  'pm.collectionVariables.set("password", pm.collectionVariables.get("newPassword"));';
const SCRIPTS: Record<string, string> = {
  login: `if (pm.response.code === 200) ${KEEP_TOKEN}`,
  changePassword: `if (pm.response.code === 200) { ${KEEP_TOKEN} ${KEEP_PASSWORD} }`,
};

/** Days of which the demo data have sales, whenever the collection is sent. */
const SET_DATES = [
  'const dayAgo = (days) => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);',
  "for (const [name, days] of [['from', 9], ['to', 2], ['date', 2]])",
  '  pm.collectionVariables.set(name, dayAgo(days));',
];
const DATES = ['date', 'from', 'to'];

/** Requests that succeed for the demo user: the other ones need another user, or something stored. */
const SUCCEEDING = ['Sales', 'Restaurants', 'Operation'];

/** Parameters that may be left out and yet are sent: nobody saves figures by mistake. */
const SENT = ['dry_run', ...DATES];

/** Errors that any request may get, and that say nothing about it. */
const OF_ANY = ['404', '408', '415', '431', '500'];

/** Bodies that take variables. The new password is empty at first, so that nobody sets one by mistake. */
const BODIES: Record<string, object> = {
  login: { grant_type: 'password', username: '{{username}}', password: '{{password}}' },
  changePassword: { current_password: '{{password}}', new_password: '{{newPassword}}' },
};

/** Says in Postman and in Bruno whether the answer has the status of a success. */
function testsOf({ operationId, tags, responses }: any): string[] {
  if (operationId !== 'login' && !SUCCEEDING.includes(tags[0])) return [];
  const [success] = Object.keys(responses).filter((status) => status.startsWith('2'));
  return [`pm.test('status ${success}', () => pm.response.to.have.status(${success}));`];
}

const VARIABLES = {
  baseUrl: 'http://127.0.0.1:3000',
  username: 'demo',
  password: 'demo-password',
  newPassword: '',
  token: '',
  ...Object.fromEntries(DATES.map((name) => [name, ''])),
};

/** Makes a collection of Postman's format 2.1 of a document: a folder per tag, a request per operation. */
export function postmanCollection(document: any): any {
  // A run of the collection would wait for the end of a stream.
  const operations = operationsOf(document).filter(
    ([, { responses }]) => !responses[200]?.content?.['text/event-stream'],
  );
  const folders = document.tags.map(({ name, description }: any) => {
    const isLogout = ([, { operationId }]: any): number => Number(operationId === 'revoke');
    const ofTag = operations
      .filter(([, { tags }]) => tags[0] === name)
      .sort((one, next) => isLogout(one) - isLogout(next)); // it ends the token of the others
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
    event: [{ listen: 'prerequest', script: { exec: SET_DATES, type: 'text/javascript' } }],
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
    header: [
      ...(example ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ...listOf('header', operation.parameters),
    ],
    ...(example && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(example, null, 2).replaceAll(/("date": )"[\d-]+"/g, '$1"{{date}}"'),
        options: { raw: { language: 'json' } },
      },
    }),
  };
  const script = SCRIPTS[operation.operationId];
  const exec = [...(script ? [script] : []), ...testsOf(operation)];
  const event = exec.length > 0 && {
    event: [{ listen: 'test', script: { exec, type: 'text/javascript' } }],
  };
  const response = Object.entries<any>(operation.responses)
    .filter(([status]) => !OF_ANY.includes(status))
    .map(([status, given]) =>
      answerOf(document, { method, url: request.url.raw }, status, resolve(document, given)),
    );
  return { name: operation.summary, ...event, request, response };
}

/** Makes a saved answer, of which a file has no body. */
function answerOf(document: any, originalRequest: any, status: string, given: any): any {
  const json = given.content?.['application/json'];
  const example = json && (json.example ?? exampleOf(document, json.schema));
  return {
    name: `${status} ${given.description}`,
    originalRequest,
    status: STATUS_CODES[status],
    code: Number(status),
    _postman_previewlanguage: 'json',
    header: json ? [{ key: 'Content-Type', value: 'application/json' }] : [],
    body: json ? JSON.stringify(example, null, 2) : '',
  };
}

/** Parameters that may be left out are switched off. */
function listOf(place: string, parameters: any[] = []): any[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, example, description, required }) => ({
      key: name,
      value: DATES.includes(name) ? `{{${name}}}` : String(example ?? schema.example ?? ''),
      description,
      ...(!required && !SENT.includes(name) && { disabled: true }),
    }));
}

function urlOf(route: string, parameters: any[] = []): any {
  const path = route.slice(1).replace(/\{(\w+)\}/g, ':$1').split('/'); // prettier-ignore
  const query = listOf('query', parameters);
  const sent = query.filter(({ disabled }: any) => !disabled);
  const text = sent.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    raw: `{{baseUrl}}/${path.join('/')}${text && `?${text}`}`,
    host: ['{{baseUrl}}'],
    path,
    query,
    variable: listOf('path', parameters),
  };
}
