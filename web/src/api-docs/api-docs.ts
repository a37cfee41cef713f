import 'swagger-ui-dist/swagger-ui.css';
import 'swagger-ui-dist/index.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

interface Answer {
  readonly ok: boolean;
  readonly url: string;
  readonly body?: { readonly access_token?: string };
}

/** The interactive page of the API: who tries the login here goes on with its token. */
const ui = SwaggerUI({
  url: '/api/v1/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
  responseInterceptor: (response: Answer) => {
    const token = response.body?.access_token;
    if (response.url.endsWith('/auth/login') && token) ui.preauthorizeApiKey('bearer', token);
    return response;
  },
});
