/** The answer to an upload. */
export class UploadResponse {
  /** Always true: an upload that fails is answered with an error. */
  readonly success!: true;
  /** How many records were saved. */
  readonly processed!: number;
  /** Names the restaurant and the date. */
  readonly message!: string;
}
