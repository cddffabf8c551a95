package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.SingleTableSearch;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;

/**
 * Tables that a definition brings together with its own: EXCHANGE PARTITION, CONVERT TABLE, CONVERT
 * PARTITION, UNION of MERGE tables. A data source does so with what it has itself: whole tables
 * that are there alone, under the names that clients know.
 */
record JoinedTables(PlanTask task, SqlTokens tokens, DdlSyntax syntax) {

  /**
   * @param place of the statement's own table
   * @throws RefusedException if one of the tables has rows elsewhere, or would have
   */
  void check(TablePlace place) {
    for (TableMention joined : syntax.joined()) {
      String home =
          switch (place) {
            case TablePlace.Single single -> single.endpoint();
            case TablePlace.Absent absent -> absent.endpoint();
            case TablePlace.Sharded sharded -> throw ofSeveral(sharded.table().name(), "sharded");
            case TablePlace.Broadcast broadcast -> throw ofSeveral(broadcast.name(), "broadcast");
          };
      var directory = new TableDirectory(task);
      switch (directory.find(joined.qualifier(), joined.name())) {
        case TablePlace.Sharded sharded -> throw ofSeveral(sharded.table().name(), "sharded");
        case TablePlace.Broadcast broadcast -> throw ofSeveral(broadcast.name(), "broadcast");
        case TablePlace.Single single when !single.endpoint().equals(home) ->
            throw elsewhere(joined);
        case TablePlace.Single _ -> {
          // its data source says whether it fits
        }
        case TablePlace.Absent absent -> {
          boolean isFound =
              isMade(joined) && new SingleTableSearch(task).looksIn(home, absent.name());
          if (!isFound) {
            throw isMade(joined) ? elsewhere(joined) : directory.unknown(joined.name());
          }
        }
      }
    }
  }

  /** CONVERT PARTITION p TO TABLE t. */
  private boolean isMade(TableMention joined) {
    return tokens.isWord(joined.first() - 1, "TABLE") && tokens.isWord(joined.first() - 2, "TO");
  }

  private RefusedException ofSeveral(String table, String kind) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        syntax.joining(tokens) + " of the " + kind + " table '" + table + "'",
        "move the rows by INSERT … SELECT");
  }

  private RefusedException elsewhere(TableMention joined) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        syntax.joining(tokens) + " with the table '" + joined.name() + "', which lives elsewhere,",
        "move the rows by INSERT … SELECT");
  }
}
