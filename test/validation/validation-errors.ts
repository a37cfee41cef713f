import { validateDto } from '../../src/http/validation/request.pipe.js';

type Dto = new () => object;

/** The response text to a body, or undefined where it is valid. */
export async function errorText(Dto: Dto, body: unknown): Promise<string | undefined> {
  try {
    await validateDto(Dto, body);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
