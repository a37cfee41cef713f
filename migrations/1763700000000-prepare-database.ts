import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates what the tables of several features use. */
export class PrepareDatabase1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'rows of % are kept: % is refused', TG_TABLE_NAME, TG_OP
          USING ERRCODE = 'restrict_violation';
      END $$;
      -- The service counts synchronous standbys without the right to see what others run.
      CREATE FUNCTION count_synchronous_standbys() RETURNS integer
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
        SELECT CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN count(*)::integer END
        FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION count_synchronous_standbys, refuse_change');
  }
}
