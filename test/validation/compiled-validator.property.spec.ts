import { Type } from 'class-transformer';
import * as rules from 'class-validator';
import fc from 'fast-check';
import { LoginDto } from '../../src/auth/dto/login.dto.js';
import { compileValidator } from '../../src/http/validation/compile-validator.js';
import { UploadDailyDto } from '../../src/sales/uploads/dto/upload-daily.dto.js';
import { broken } from '../support/broken-json.js';
import { classValidatorFaults } from '../support/class-validator-faults.js';
import { day, record } from '../support/records.js';
import { uploadFaults } from '../support/upload-faults.js';

@rules.ValidatorConstraint({ name: 'short' })
class Short implements rules.ValidatorConstraintInterface {
  validate = (value: unknown) => typeof value !== 'string' || value.length < 5;
  defaultMessage = (asked?: rules.ValidationArguments) => `${asked?.property ?? ''} of $target is too long`;
}

class PersonDto {
  @rules.IsString() @rules.MaxLength(20) readonly surname!: string;
  @rules.IsOptional() @rules.Matches(/^\d{4}$/) readonly postcode?: string;
}

class ContractDto {
  @rules.IsDefined() @rules.IsIn(['lease', 'sale']) readonly genre!: string;
}

/** One of nearly every kind of rule that class-validator has, to be compiled as it stands. */
class LeaseDto extends ContractDto {
  @rules.IsInt() @rules.Min(1) @rules.Max(10) readonly rooms!: number;
  @rules.IsNumber({}, { message: 'no price: $value' }) readonly rent!: number;
  @rules.IsArray() @rules.ArrayMaxSize(3) @rules.IsString({ each: true }) readonly labels!: string[];
  @rules.ValidateNested() @Type(() => PersonDto) readonly tenant!: PersonDto;
  @rules.IsOptional() @rules.ValidateNested({ each: true }) @Type(() => PersonDto) readonly guests?: PersonDto[];
  @rules.ValidateIf((lease: LeaseDto) => lease.genre === 'lease') @rules.IsBoolean() readonly limited?: boolean;
  @rules.IsNotEmpty({ context: { hint: 'unused' } }) @rules.Validate(Short) readonly remark!: unknown;
  @rules.Length(2, 5, { message: '$property has $constraint1 to $constraint2' }) readonly keyword!: string;
  @rules.IsEmail() @rules.IsOptional() readonly mail?: string;
  @rules.IsInt({ validateIf: (_lease, value) => value !== 'none' }) readonly deposit!: unknown;
  @rules.Allow() readonly anything?: unknown;
}

const LEASE = {
  ...{
    genre: 'lease',
    rooms: 3,
    rent: 950.5,
    labels: ['quiet', 'green'],
    limited: true,
    remark: 'ok',
    keyword: 'flat',
  },
  ...{
    tenant: { surname: 'Tan', postcode: '1234' },
    guests: [{ surname: 'Lim' }, { surname: 'Ng', postcode: '9999' }],
  },
  ...{ mail: 'tan@example.com', deposit: 'none', anything: {} },
};

function compiledFaults(Dto: new () => object, body: object): string[] {
  const faults = compileValidator(Dto)(body, Infinity);
  return faults?.refusal ? [faults.refusal.text] : (faults?.texts ?? []);
}

function sameAsClassValidator(Dto: new () => object, valid: object, numRuns: number): void {
  expect([compiledFaults(Dto, valid), classValidatorFaults(Dto, valid)]).toEqual([[], []]);
  const same = (body: object) => expect(compiledFaults(Dto, body).sort()).toEqual(classValidatorFaults(Dto, body));
  fc.assert(fc.property(broken(valid), same), { numRuns });
}

const UPLOAD = { records: [record(), record({ hour: 3 }), record({ hour: 0 })] };
const FULL_DAY = { records: day() };

describe('the compiled rules find what class-validator itself finds in a broken', () => {
  test('upload', () => sameAsClassValidator(UploadDailyDto, UPLOAD, 400));
  test('upload of a whole day', () => sameAsClassValidator(UploadDailyDto, FULL_DAY, 100));
  test('login', () => sameAsClassValidator(LoginDto, { grant_type: 'password', username: 'till', password: 'x' }, 300));
  test('DTO of standard rules', () => sameAsClassValidator(LeaseDto, LEASE, 1000));
});

test('the rules of an upload are those of the specification, told in the order of the body', () => {
  const uploads = fc.oneof(broken(UPLOAD), broken(FULL_DAY));
  const same = (body: object) => expect(compiledFaults(UploadDailyDto, body)).toEqual(uploadFaults(body));
  fc.assert(fc.property(uploads, same), { numRuns: 1000 });
});
