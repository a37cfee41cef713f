import { serviceError } from '../http/errors/service-error.js';

export const NotReady = serviceError('not_ready', 503, (reason: string) => `not ready: ${reason}`, {
  'Retry-After': '1',
});

export const ShuttingDown = serviceError('shutting_down', 503, 'not ready: shutting down');
