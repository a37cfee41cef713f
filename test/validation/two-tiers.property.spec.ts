import fc from 'fast-check';
import { LoginDto } from '../../src/auth/dto/auth.dto.js';
import { UploadDailyDto } from '../../src/sales/uploads/dto/upload-daily.dto.js';
import { broken } from '../support/broken-json.js';
import { day, record } from '../support/records.js';
import { uploadFaults } from '../support/upload-faults.js';
import { compiledErrors, nestErrors } from '../support/validation-errors.js';

async function findTheSame(Dto: new () => object, valid: object, numRuns: number): Promise<void> {
  expect([compiledErrors(Dto, valid), await nestErrors(Dto, valid)]).toEqual([[], []]);
  const same = async (body: object) => {
    expect(compiledErrors(Dto, body).sort()).toEqual((await nestErrors(Dto, body)).sort());
  };
  await fc.assert(fc.asyncProperty(broken(valid), same), { numRuns });
}

const UPLOAD = { records: [record(), record({ hour: 3 }), record({ hour: 0 })] };
const FULL_DAY = { records: day() };

describe("compiled rules and Nest's ValidationPipe find the same errors in a broken", () => {
  test('upload', () => findTheSame(UploadDailyDto, UPLOAD, 400));
  test('upload of a whole day', () => findTheSame(UploadDailyDto, FULL_DAY, 50));
  test('login', () => findTheSame(LoginDto, { grant_type: 'password', username: 'till', password: 'x' }, 300));
});

test('the rules of an upload are those of the specification, reported in the order of the body', () => {
  const uploads = fc.oneof(broken(UPLOAD), broken(FULL_DAY));
  const same = (body: object) => expect(compiledErrors(UploadDailyDto, body)).toEqual(uploadFaults(body));
  fc.assert(fc.property(uploads, same), { numRuns: 1000 });
});
