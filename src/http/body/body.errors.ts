import { ServiceError } from '../errors/service-error.js';

/** The body is over BODY_LIMIT_BYTES, as sent or once inflated. */
export class BodyTooLarge extends ServiceError {
  readonly status = 413;
  readonly code = 'body_too_large';
  constructor(limit: number) {
    super(`the body is larger than ${limit} bytes, the limit`);
  }
}

/** The sender went away before the body was whole; nobody is left to read this answer. */
export class BodyCutShort extends ServiceError {
  readonly status = 400;
  readonly code = 'body_cut_short';
  constructor() {
    super('the body ended before it was complete');
  }
}

/** The body is not JSON; `detail` says where it stops being so, without quoting it. */
export class InvalidJson extends ServiceError {
  readonly status = 400;
  readonly code = 'invalid_json';
  constructor(detail = '') {
    super(`the body is not valid JSON${detail}`);
  }
}

/** JSON between machines is UTF-8 (RFC 8259 section 8.1), and a guess at a broken character would be kept for good. */
export class NotUtf8 extends ServiceError {
  readonly status = 400;
  readonly code = 'invalid_characters';
  constructor() {
    super('the body is not valid UTF-8, which JSON must be sent in');
  }
}

/** The sender does not call the body JSON: a form or a file was sent by mistake. */
export class NotJson extends ServiceError {
  readonly status = 400;
  readonly code = 'content_type_not_json';
  constructor() {
    super('the body must be JSON, sent with the header Content-Type: application/json');
  }
}

/** The sender says that its JSON is not in UTF-8. */
export class UnsupportedCharset extends ServiceError {
  readonly status = 415;
  readonly code = 'unsupported_charset';
  constructor() {
    super('the charset of the Content-Type must be utf-8');
  }
}

/** Bodies may come as they are, or with gzip, deflate or br. */
export class UnsupportedEncoding extends ServiceError {
  readonly status = 415;
  readonly code = 'unsupported_content_encoding';
  constructor() {
    super('the Content-Encoding must be gzip, deflate, br or identity');
  }
}

/** The bytes are not what the Content-Encoding says. */
export class InvalidEncoding extends ServiceError {
  readonly status = 400;
  readonly code = 'invalid_content_encoding';
  constructor() {
    super('the body cannot be decoded with the Content-Encoding that was sent');
  }
}
