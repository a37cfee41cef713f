/** A statement that is prepared once a connection, under a name that is unique in the service. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}
