import type { ServiceError } from './service-error.js';

/** Printable ASCII without commas; bounded. */
const HEADER_ENTRY = /^[!-+\--~]{1,200}$/;

/** Returns the body of every error response. */
export function errorBody({ message }: ServiceError): { readonly error: string } {
  return { error: message };
}

/** Returns the headers that an error adds to the response. */
export function errorHeaders({ code, headers, pointers }: ServiceError): Record<string, string> {
  const fields = [...new Set(pointers)].filter((pointer) => HEADER_ENTRY.test(pointer));
  return {
    'X-Error-Code': code,
    'Cache-Control': 'no-store',
    ...(fields.length > 0 && { 'X-Error-Fields': fields.join(', ') }),
    ...headers,
  };
}
