import 'reflect-metadata';
import { compare, hash } from 'bcrypt';
import pg from 'pg';
import { UploadsRepository } from '../../../dist/src/sales/uploads/uploads.repository.js';
import { TOKEN_ID } from '../contestants/seed.mjs';
import { nthUpload, recordsOf, SAMPLE, VARIANTS } from './days.mjs';
import { HttpConnection } from './http-connection.mjs';
import { UploadRequests } from './upload-requests.mjs';

/** What a load process can do over and over. Each answers `once(lane)` and how to `close()`. */
export const SOURCES = { uploads, logins, statement, bcrypt };

function uploads(job) {
  const requests = new UploadRequests(job);
  const buffers = Array.from({ length: job.lanes }, () => Buffer.allocUnsafe(16_384));
  return overHttp(job, (lane) => requests.next(buffers[lane]));
}

function logins(job) {
  const requests = job.usernames.map((username) => loginRequest({ ...job, username }));
  let next = 0;
  return overHttp(job, () => requests[next++ % requests.length]);
}

function loginRequest({ port, username, password }) {
  const body = JSON.stringify({ grant_type: 'password', username, password });
  const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function overHttp({ port, lanes }, nextRequest) {
  const connections = Array.from({ length: lanes }, () => new HttpConnection(port));
  return {
    once: (lane) => connections[lane].send(nextRequest(lane)),
    close: () => connections.forEach((connection) => connection.close()),
  };
}

/** The service's own statement straight through pg, one upload each, on as many connections as the service has. */
function statement(job) {
  const pool = new pg.Pool({ connectionString: job.url, max: 8 });
  const samples = Array.from({ length: VARIANTS }, (_, variant) => statementOfService(job.userId, variant));
  let next = job.first;
  return {
    once: async () => {
      const { restaurant, date, variant } = nthUpload(job, next++);
      const { name, text, head, records } = samples[variant];
      const ofDay = head.replace(`:${SAMPLE.restaurant},`, `:${restaurant},`).replace(SAMPLE.date, date);
      const { rows } = await pool.query({ name, text, values: [ofDay, records] });
      return rows[0].live && rows[0].granted ? 200 : 403;
    },
    close: () => pool.end(),
  };
}

/** What the service's repository hands to the database for an upload: caught, so that it cannot differ from the service's. */
function statementOfService(userId, variant) {
  let caught;
  const database = {
    run: (statement, [head, records]) => {
      caught = { ...statement, head, records };
      return Promise.resolve([]);
    },
  };
  const { restaurant: restaurantId, date } = SAMPLE;
  const records = recordsOf({ ...SAMPLE, variant });
  const sender = { userId, tokenId: TOKEN_ID, clientAddress: '127.0.0.1' };
  void new UploadsRepository(database).save({ restaurantId, date, ...sender, records });
  return caught;
}

/** bcrypt by itself, as many comparisons in flight as there are lanes. */
async function bcrypt(job) {
  const digest = await hash(job.password, job.cost);
  return { once: async () => ((await compare(job.password, digest)) ? 200 : 401), close: () => undefined };
}
